/**
 * Points at which the process may die while it builds with an order, and what the next start then does. Those
 * of a submission are in operations/checkpoints.ts: the order follows the operation's row.
 */
export const orderCheckpoints = [
  /**
   * The reservation is written, but a withdrawal is not co-signed yet. No caller knows the order: the next
   * one replaces it, or it expires.
   */
  'order:planned',
  /** The operator has co-signed, but the signature is not written and no caller has seen it: as above. */
  'order:cosigned',
  /** The reservation is complete, but nothing is built: it can be built by its id, or expires. */
  'order:reserved',
  /** Deposits, exits and pins were read again: as above. */
  'order:checked',
  /**
   * The nonce is chosen and the payer has consented: as above. Sponsored builds of the same caller avoid this
   * lane for a while.
   */
  'order:agreed',
  /** The operator has signed, but the signature is not written and no caller has seen it: as above. */
  'order:signed',
  // `build:written` follows: the reservation lasts until validUntil, and another build takes the same nonce.
] as const

export type OrderCheckpointName = (typeof orderCheckpoints)[number]
