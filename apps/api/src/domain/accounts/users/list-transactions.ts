import type { Hex } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

export interface AccountTransaction {
  /** Of the transaction that carried the operation. */
  readonly hash: Hex
  /** Of the block, ISO 8601 in UTC. */
  readonly timestamp: string
  /** Native value that the calls sent, wei. */
  readonly value: string
}

const maxTransactions = 100

/**
 * What an account did on all networks, newest first: operations that are included, and whose calls were not
 * reverted (a reverted one moved nothing).
 */
export async function listTransactions(
  database: Kysely<Database>,
  address: string,
): Promise<AccountTransaction[]> {
  const rows = await database
    .selectFrom('operations')
    .select(['txn_hash', 'included_at', 'value'])
    .where('account', '=', address.toLowerCase())
    .where('state', '=', 'included')
    .where('success', '=', true)
    .where('txn_hash', 'is not', null)
    .where('included_at', 'is not', null)
    .orderBy('included_at', 'desc')
    // Blocks of one second, and operations of one block, are in the order in which they were signed.
    .orderBy('signed_at', 'desc')
    .orderBy('user_op_hash')
    .limit(maxTransactions)
    .$narrowType<{ txn_hash: Hex; included_at: Date }>()
    .execute()
  return rows.map(({ txn_hash, included_at, value }) => ({
    hash: txn_hash,
    timestamp: included_at.toISOString(),
    value: value.toString(),
  }))
}
