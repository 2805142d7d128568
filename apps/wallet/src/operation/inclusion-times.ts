import { readStoredList, writeStored } from '@lanyard/ui'
import { t } from '../i18n/t.ts'

/** Number of recent times that are kept. */
const kept = 9

const keyOf = (chainId: number) => `lanyard.inclusion.${chainId}`

function readTimes(chainId: number): readonly number[] {
  return readStoredList(keyOf(chainId)).filter(
    (time): time is number => typeof time === 'number' && time >= 0,
  )
}

/** Stores how long an operation took from signature to inclusion, in milliseconds. */
export function rememberInclusion(chainId: number, milliseconds: number): void {
  writeStored(keyOf(chainId), [...readTimes(chainId), milliseconds].slice(-kept))
}

/** The usual inclusion time on a network as text: the median of recent times in this browser. */
export function expectedInclusion(chainId: number): string {
  const times = readTimes(chainId).toSorted((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  if (median === undefined) return t('usually less than a minute')
  const seconds = Math.max(1, Math.round(median / 1_000))
  return seconds < 90
    ? t('usually about {seconds} s', { seconds })
    : t('usually about {minutes} min', { minutes: Math.round(seconds / 60) })
}
