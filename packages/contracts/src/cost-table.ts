import type { RateBucket } from './endpoint.ts'

/** What one call may cost the service. */
export interface CallCost {
  /** Milliseconds that are reserved while the call runs, besides those for the size of its body. */
  readonly deposit: number
  /** Maximum milliseconds that a call is charged, whatever else its time was spent on. */
  readonly most: number
  /** Milliseconds that the statements of a call take in a database server, about: nobody measures them. */
  readonly database: number
}

/**
 * What the calls of each counter may cost, in milliseconds of one processor. Bytes and gas are converted to
 * them (`costOf`).
 */
export const costTable: Readonly<Record<RateBucket, CallCost>> = {
  calls: { deposit: 1, most: 100, database: 0.3 },
  reads: { deposit: 4, most: 300, database: 0.6 },
  builds: { deposit: 10, most: 1_000, database: 1.5 },
  ceremonies: { deposit: 10, most: 300, database: 1 },
  health: { deposit: 0, most: 10, database: 0 },
}
