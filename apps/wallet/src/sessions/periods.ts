/** What an allowance may be counted over, in seconds. */
export const periods = [
  { seconds: 3_600, label: 'every hour' },
  { seconds: 86_400, label: 'every day' },
  { seconds: 604_800, label: 'every week' },
  { seconds: 0, label: 'in all' },
] as const

/** How long a session may last, in seconds. */
export const durations = [
  { seconds: 3_600, label: '1 hour' },
  { seconds: 86_400, label: '1 day' },
  { seconds: 604_800, label: '1 week' },
  { seconds: 2_592_000, label: '30 days' },
] as const

/** A period in words; one that was granted elsewhere can have any length. */
export const periodText = (seconds: number): string =>
  periods.find((period) => period.seconds === seconds)?.label ?? `every ${seconds} seconds`
