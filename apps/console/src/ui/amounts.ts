/** wei as an amount of the native coin, with four digits that count. */
export function coins(wei: string | bigint): string {
  const value = Number(BigInt(wei)) / 1e18
  if (value === 0) return '0'
  if (Math.abs(value) < 1e-9) return `${BigInt(wei)} wei`
  return value.toLocaleString(undefined, { maximumSignificantDigits: 4 })
}

/** Units with 6 decimals as tokens. */
export const tokens = (units: string | bigint): string =>
  (Number(BigInt(units)) / 1e6).toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })

/** wei per gas as gwei. */
export const gwei = (wei: string): string =>
  `${(Number(wei) / 1e9).toLocaleString(undefined, { maximumSignificantDigits: 3 })} gwei`

export const seconds = (value: number | null): string =>
  value === null ? '–' : `${value.toLocaleString(undefined, { maximumSignificantDigits: 3 })} s`
