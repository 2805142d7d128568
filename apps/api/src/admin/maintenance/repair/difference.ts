import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** The kinds of differences, with their meaning. The command line's help is generated from it. */
export const differenceKinds = {
  OPERATION_INCLUDED: 'a final block has the operation, and its row says something else became of it',
  INCLUSION_DIFFERS: 'included, with another transaction, block, time, cost or outcome than the chain has',
  INCLUSION_NOT_ON_CHAIN: 'included, and the chain has it nowhere',
  FINAL_TOO_EARLY: 'called final, and the chain could still decide otherwise',
  OPERATION_UNKNOWN:
    'the account acted by an operation that has no row: past this service, or the row is lost',
  ORDER_OUTCOME: 'the chain says something else became of the order than its row',
  ORDER_OUTCOME_NOT_ON_CHAIN: 'claimed or failed, and the chain has no record of it',
  ORDER_UNKNOWN: 'SmartBalance has an outcome of an order that has no row',
  DEBIT_DIFFERS: 'settled by another amount than the chain has, or not at all',
  LEDGER_DIFFERS: 'deposit, exit or pins are not those of the block that the row names',
  ACCOUNT_CONTRADICTS_ITSELF: 'the address does not follow from the stored initializer',
  PASSKEY_DIFFERS: 'which owner of the account a passkey is, or its verifiers, are not what the row says',
  OWNER_UNKNOWN: 'a contract owns the account that is no passkey of this service: its row may be lost',
  MODULE_DISABLED: 'the account has disabled the module by which it executes operations',
  THRESHOLD_RAISED: 'the account asks for more than one signature, and this service makes one',
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
