import type { Hex } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

export interface AccountTransaction {
  /** The transaction that included the operation. */
  readonly hash: Hex
  /** Time of the block, ISO 8601 in UTC. */
  readonly timestamp: string
  /** Native value that the calls sent, wei. */
  readonly value: string
}

const maxTransactions = 100

/**
 * The operations of an account on all networks, newest first. Only included operations whose calls were not
 * reverted are listed (a reverted one moved nothing).
 */
export async function listTransactions(
  database: Kysely<Database>,
  address: string,
): Promise<AccountTransaction[]> {
  const rows = await database
    .selectFrom('every_operation')
    .select(['txn_hash', 'included_at', 'value'])
    .where('account', '=', address.toLowerCase())
    .where('state', '=', 'included')
    .where('success', '=', true)
    .where('txn_hash', 'is not', null)
    .where('included_at', 'is not', null)
    .orderBy('included_at', 'desc')
    // Operations of one block, and of blocks with the same timestamp, are ordered by the time when they were
    // signed.
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
