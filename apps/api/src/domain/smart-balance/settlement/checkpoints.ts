import { senderSteps } from '@lanyard/bundler'

/**
 * Where the process may die between an order's inclusion and its settlement, and what the next pass finds then.
 * Tests kill at each of them.
 */
export const checkpoints = [
  /** Nothing is written: the outcome is read again. */
  'tracking:outcome-read',
  /** The order is CLAIMED or FAILED; the same outcome changes nothing. */
  'tracking:outcome-recorded',
  /** Nothing of it is written: the log is read again. */
  'tracking:signature-read',
  /** The signature that settles the order is kept; a reorg does not take it back. */
  'tracking:signature-recorded',
  /** Enough attestations were counted, nothing is written: they are counted again. */
  'tracking:attestations-counted',
  /** The order is ATTESTED and its debits are DUE, in one transaction. */
  'tracking:attested',
  /** All debits have ended, and the order with them. */
  'tracking:closed',

  /** Nothing is written: the chain is read again. */
  'attest:outcome-read',
  /** The outcome is fixed in the table; the next pass signs exactly that. */
  'attest:decided',
  /** The signature dies with the process and was seen by nobody; the next one is the same. */
  'attest:signed',
  'attest:written',

  /** Nothing but the table says which debits are due: they are picked again. */
  'settlement:batch-picked',
  'settlement:batch-simulated',
  /** The sender's own steps, as the bundler's relayer has them. */
  ...senderSteps.map((step) => `settlement:${step}` as const),
  /** A final block has the transaction, nothing is written: its receipt is read again. */
  'settlement:final-seen',
  /** The ledger has released what is settled. The transaction is checked again, which changes nothing. */
  'settlement:ledger-synced',
  'settlement:finished',
] as const

/** Where the process may die while it tops the gas deposit up: what was signed is counted, and signed once. */
export const topUpCheckpoints = [
  /** Nothing is written: the deposit is read again. */
  'top-up:decided',
  ...senderSteps.map((step) => `top-up:${step}` as const),
] as const

export type CheckpointName = (typeof checkpoints)[number] | (typeof topUpCheckpoints)[number]
