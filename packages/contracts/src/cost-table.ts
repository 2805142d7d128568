import type { RateBucket } from './endpoint.ts'

/** What one call may cost the service. */
export interface CallCost {
  /** Milliseconds that are reserved while the call runs, besides those for the size of its body. */
  readonly deposit: number
  /** Maximum milliseconds that a call is charged, whatever else its time was spent on. */
  readonly most: number
}

/**
 * What the calls of each counter may cost, in milliseconds of one processor. Bytes and gas are converted to
 * them (`costOf`).
 */
export const costTable: Readonly<Record<RateBucket, CallCost>> = {
  calls: { deposit: 1, most: 100 },
  reads: { deposit: 4, most: 300 },
  builds: { deposit: 10, most: 1_000 },
  ceremonies: { deposit: 10, most: 300 },
  health: { deposit: 0, most: 10 },
}
