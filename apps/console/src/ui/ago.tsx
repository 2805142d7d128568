import { regionalLocale, Time } from '@lanyard/ui'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat(regionalLocale, { numeric: 'always', style: 'narrow' })
const exact = new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat(regionalLocale, { timeStyle: 'medium' })

function toText(at: Date): string {
  const past = (at.getTime() - Date.now()) / 1_000
  for (const [unit, length] of units) {
    if (Math.abs(past) >= length) return relative.format(Math.trunc(past / length), unit)
  }
  return relative.format(Math.trunc(past), 'second')
}

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return <span className="text-muted">–</span>
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {toText(date)}
    </time>
  )
}

/** The exact time, to the second. */
export const At = ({ at }: { at: string }) => <Time at={at} seconds />

/** The time of a day that stands beside it. */
export const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} title={exact.format(new Date(at))} className="figures">
    {clock.format(new Date(at))}
  </time>
)
