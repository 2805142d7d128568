import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** The kinds of differences, with their meaning. The command line's help is generated from it. */
export const differenceKinds = {
  OPERATION_INCLUDED: 'a final block has the operation, but its row has another state',
  INCLUSION_DIFFERS: 'included, but with another transaction, block, time, cost or outcome than on chain',
  INCLUSION_NOT_ON_CHAIN: 'included, but not on the chain',
  FINAL_TOO_EARLY: 'marked final, but the chain could still change it',
  OPERATION_UNKNOWN:
    'the account executed an operation that has no row: it was sent without this service, or the row is lost',
  ORDER_OUTCOME: 'the order has another state on chain than in its row',
  ORDER_OUTCOME_NOT_ON_CHAIN: 'claimed or failed, but the chain has no record of it',
  ORDER_UNKNOWN: 'SmartBalance has an outcome of an order that has no row',
  DEBIT_DIFFERS: 'settled with another amount than on chain, or not settled there',
  LEDGER_DIFFERS: 'deposit, exit or pins differ from those at the block that the row names',
  ACCOUNT_CONTRADICTS_ITSELF: 'the stored initializer gives another address',
  PASSKEY_DIFFERS: 'the chain has another owner contract, or other verifiers, for a passkey than the row',
  OWNER_UNKNOWN: 'a contract that is not a passkey of this service owns the account: its row may be lost',
  MODULE_DISABLED: 'the account has disabled the module by which it executes operations',
  THRESHOLD_RAISED: 'the account requires more than one signature, and this service makes only one',
} as const

export type DifferenceKind = keyof typeof differenceKinds

/** Named values of one side. */
export type Said = Readonly<Record<string, unknown>>

/** One difference between database and chain. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly network: number
  readonly account: string
  /** The operation's hash, the order's id, the passkey's id, or the account itself. */
  readonly subject: string
  readonly database: Said
  readonly chain: Said
  /**
   * Updates the row to the chain's values, in one transaction, and only if the row has not changed since it
   * was read. Absent when the chain does not show what the row should be.
   *
   * @returns false when the row has changed since
   */
  readonly repair?: (database: Kysely<Database>) => Promise<boolean>
}

/** Only the values that differ; empty: both sides agree. */
export function disagreements(database: Said, chain: Said): { database: Said; chain: Said } | undefined {
  const names = Object.keys(chain).filter((name) => toText(database[name]) !== toText(chain[name]))
  if (names.length === 0) return undefined
  const pick = (from: Said) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { database: pick(database), chain: pick(chain) }
}

const toText = (value: unknown) =>
  value instanceof Date
    ? value.toISOString()
    : Array.isArray(value)
      ? [...value].sort().join()
      : String(value ?? null)
