import type { Database, OrderDebitRow, OrderRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { BuildTarget } from '../../operations/build-request.ts'
import type { OrderRequest } from '../quotes/plan-with.ts'
import type { Solution } from '../quotes/solution.ts'

/** `network` is the network on which the funds arrive. */
export interface ReserveRequest extends OrderRequest, BuildTarget {
  /** The requesting caller, as `builderOf` names it. */
  readonly builtBy: string
  /** Runs in the transaction that writes the order, for data that must exist exactly when the order does. */
  readonly onPersisted?:
    | ((transaction: Transaction<Database>, solution: Solution) => Promise<void>)
    | undefined
}

export interface ReservedOrder {
  readonly order: OrderRow
  /** Ascending by network. */
  readonly debits: readonly OrderDebitRow[]
  readonly solution: Solution
}

/** Seconds for which a solution is reserved before an operation is built with it. */
export const reservationSeconds = 600
