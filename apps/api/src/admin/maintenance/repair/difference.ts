import type { Database } from '@lanyard/database'
import type { AgreedBlock, Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'

/** The kinds of differences, with their meaning. The command line's help is generated from it. */
export const differenceKinds = {
  OPERATION_INCLUDED: 'a final block has the operation, but its row has another state',
  INCLUSION_DIFFERS: 'included, but with another transaction, block, time, cost or outcome than on chain',
  INCLUSION_NOT_ON_CHAIN: 'included and final, but the chain has no such inclusion',
  OPERATION_UNKNOWN:
    'the account executed an operation that has no row: it was sent without this service, or the row is lost',
  ORDER_OUTCOME: 'the order has another outcome on chain than in its row',
  ORDER_OUTCOME_NOT_ON_CHAIN: 'attested, but the chain has no outcome in the block that the row names',
  ORDER_UNKNOWN: 'SmartBalance has an outcome of an order that has no row',
  RELAYER_TRANSACTION_UNKNOWN:
    'a relayer of this service sent operations that have no row: the database is older than the chain',
  ACCOUNT_CONTRADICTS_ITSELF: 'the stored initializer gives another address',
} as const

export type DifferenceKind = keyof typeof differenceKinds

/** Named values of one side. */
type Values = Readonly<Record<string, unknown>>

/** One difference between database and chain. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly network: number
  /** Of a transaction, its relayer. */
  readonly account: string
  /** The operation's hash, the order's id, the transaction's hash or nonce, or the account itself. */
  readonly subject: string
  readonly database: Values
  readonly chain: Values
  /**
   * Updates the row, in one transaction, and only if the row has not changed since it was read. Absent when the
   * chain does not show what the row should be.
   *
   * @returns false when the row has changed since
   */
  readonly repair?: (database: Kysely<Database>) => Promise<boolean>
}

/** The dependencies of a comparison on one network. */
export interface RepairContext {
  readonly database: Kysely<Database>
  readonly network: Network
  /** Addresses in lower case. */
  readonly accounts: ReadonlySet<string>
  /** Only final blocks are compared: the worker handles later ones. */
  readonly final: AgreedBlock
  readonly now: Date
  /** Months (`2026-01`, UTC) that were archived and detached: the database does not have their operations. */
  readonly detachedMonths: readonly string[]
}

/** Only the values that differ; undefined: both sides agree. */
export function disagreements(database: Values, chain: Values) {
  const names = Object.keys(chain).filter((name) => toText(database[name]) !== toText(chain[name]))
  if (names.length === 0) return undefined
  const pick = (from: Values): Values => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { database: pick(database), chain: pick(chain) }
}

const toText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value ?? null))

/** Maximum number of values in a filter. */
const chunkSize = 200

export function* chunksOf<T>(items: Iterable<T>): Generator<T[]> {
  const all = [...items]
  for (let start = 0; start < all.length; start += chunkSize) yield all.slice(start, start + chunkSize)
}
