import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'

type Connection = Kysely<Database> | Transaction<Database>

/**
 * An operation is unresolved, and holds its lane, while it is built (and not expired), signed and not included,
 * or dropped in a way that a reorg could still undo. An included operation frees its lane at once: the next one
 * takes the next sequence.
 */
export async function findUnresolved(
  connection: Connection,
  account: string,
  network: number,
): Promise<OperationRow[]> {
  return connection
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', account)
    .where('network', '=', network)
    .where('final', '=', false)
    .where('state', 'in', ['built', 'submitting', 'submitted', 'dropped', 'expired'])
    .execute()
}

/** Builds that nobody signed in time give their lane back. They were never sent, so this is final. */
export async function expireBuilds(
  connection: Connection,
  account: string,
  network: number,
  now: Date,
): Promise<void> {
  await connection
    .updateTable('operations')
    .set({
      state: 'expired',
      final: true,
      reason_code: 'BUILD_EXPIRED',
      reason_message: 'Nobody signed this build in time.',
    })
    .where('account', '=', account)
    .where('network', '=', network)
    .where('state', '=', 'built')
    .where('build_expires_at', '<=', now)
    .execute()
}

/** An unsigned build gives way to a newer one at the same nonce. */
export async function supersedeBuilds(connection: Connection, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await connection
    .updateTable('operations')
    .set({
      state: 'dropped',
      final: true,
      reason_code: 'SUPERSEDED',
      reason_message: 'A newer build took over its nonce before it was signed.',
    })
    .where('user_op_hash', 'in', hashes)
    .where('state', '=', 'built')
    .execute()
}
