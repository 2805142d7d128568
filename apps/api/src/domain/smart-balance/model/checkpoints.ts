import { senderSteps } from '@lanyard/bundler'

/**
 * Points at which the process may die while it builds with an order, and what the next start then does. Those
 * of a submission are in operations/dependencies.ts: the order follows the operation's row.
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

/**
 * Points at which the process may die between an order's inclusion and its settlement, and what the next pass
 * then does. Tests kill the process at each of them.
 */
export const settlementCheckpoints = [
  /** Nothing is written: the outcome is read again. */
  'tracking:outcome-read',
  /** The order is CLAIMED or FAILED; the same outcome changes nothing. */
  'tracking:outcome-recorded',
  /** Nothing is written: the log is read again. */
  'tracking:signature-read',
  /** The signature that settles the order is stored; a reorg does not remove it. */
  'tracking:signature-recorded',
  /** Enough attestations were counted, but nothing is written: they are counted again. */
  'tracking:attestations-counted',
  /** The order is ATTESTED and its debits are DUE, in one transaction. */
  'tracking:attested',
  /** All debits have ended, and the order is closed with them. */
  'tracking:closed',

  /** Nothing is written: the chain is read again. */
  'attest:outcome-read',
  /** The outcome is fixed in the table; the next pass signs exactly that outcome. */
  'attest:decided',
  /** The signature is lost with the process, and no other party has seen it; the next one is the same. */
  'attest:signed',
  'attest:written',

  /** Only the table records which debits are due: they are picked again. */
  'settlement:batch-picked',
  'settlement:batch-simulated',
  /** The sender's own steps, the same as in the bundler's relayer. */
  ...senderSteps.map((step) => `settlement:${step}` as const),
  /** A final block includes the transaction, but nothing is written: its receipt is read again. */
  'settlement:final-seen',
  /** The ledger has released the settled amounts. The transaction is checked again, which changes nothing. */
  'settlement:ledger-synced',
  'settlement:finished',
] as const

/**
 * Points at which the process may die while it tops up the gas deposit: each signed transaction is counted,
 * and signed only once.
 */
export const topUpCheckpoints = [
  /** Nothing is written: the deposit is read again. */
  'top-up:decided',
  ...senderSteps.map((step) => `top-up:${step}` as const),
] as const

export type SettlementCheckpointName =
  | (typeof settlementCheckpoints)[number]
  | (typeof topUpCheckpoints)[number]
