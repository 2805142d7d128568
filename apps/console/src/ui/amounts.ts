import { regionalLocale } from '@lanyard/ui'

/** wei as an amount of the native coin, with four digits that count. */
export function coins(wei: string | bigint): string {
  const value = Number(BigInt(wei)) / 1e18
  if (value === 0) return '0'
  if (Math.abs(value) < 1e-9) return `${BigInt(wei)} wei`
  return value.toLocaleString(regionalLocale, { maximumSignificantDigits: 4 })
}

/** Units with 6 decimals as tokens. */
export const tokens = (units: string | bigint): string =>
  (Number(BigInt(units)) / 1e6).toLocaleString(regionalLocale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })

/** wei per gas as gwei. */
export const gwei = (wei: string): string =>
  `${(Number(wei) / 1e9).toLocaleString(regionalLocale, { maximumSignificantDigits: 3 })} gwei`

export const seconds = (value: number | null): string =>
  value === null ? '–' : `${value.toLocaleString(regionalLocale, { maximumSignificantDigits: 3 })} s`

/** A count, with separators. */
export const whole = (value: number): string => value.toLocaleString(regionalLocale)

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds as the largest unit that fits: `19 days`. */
export function duration(value: number): string {
  const [unit, length] = units.find(([, one]) => value >= one) ?? units[3]
  return new Intl.NumberFormat(regionalLocale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(value / length),
  )
}
