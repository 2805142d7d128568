/**
 * How far back the chain is searched for what the service has no row of, for `walkRecent`: six hours on any
 * network. A search that takes longer than a caller waits, or more requests than a caller is worth, ends earlier, and what was
 * found is shown.
 */
export const recentBlocks = { window: 6 * 3_600_000, atMost: 3_000, requests: 64 } as const
