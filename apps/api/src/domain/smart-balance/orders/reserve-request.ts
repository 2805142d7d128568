import type { Database, OrderDebitRow, OrderRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { BuildTarget } from '../../operations/build/build-target.ts'
import type { AskedOrder } from '../ledger/plan-with.ts'
import type { Solution } from '../quotes/solution.ts'

/** `network`: where it is to arrive. */
export interface ReserveRequest extends AskedOrder, BuildTarget {
  /** Who asks for it, as `builderOf` names them. */
  readonly builtBy: string
  /** Runs in the transaction that writes the order, for what must be there exactly when the order is. */
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
