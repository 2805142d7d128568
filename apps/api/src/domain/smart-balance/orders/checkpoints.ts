/**
 * Where the process may die while it builds with an order, and what the next start finds then. A submission's are in
 * operations/checkpoints.ts: the order follows the operation's row.
 */
export const orderCheckpoints = [
  /**
   * The reservation is written; a withdrawal is not co-signed yet, and nobody knows of the order: it gives way to the
   * next one, or expires.
   */
  'order:planned',
  /** The operator has co-signed, nothing of it is written and nobody has seen it: as above. */
  'order:cosigned',
  /** The reservation is complete, nothing is built: it can be built by its id, or expires. */
  'order:reserved',
  /** Deposits, exits and pins were read again: as above. */
  'order:checked',
  /** The nonce is chosen and the terms are decided: as above. Sponsored builds of the same caller keep to other lanes a while. */
  'order:agreed',
  /** The operator has signed, nothing of it is written and nobody has seen it: as above. */
  'order:signed',
  // Then `build:written`: the reservation lasts until validUntil, and building again takes the same nonce.
] as const

export type OrderCheckpointName = (typeof orderCheckpoints)[number]
