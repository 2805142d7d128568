import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { isHeld } from '../smart-balance/holdings.ts'
import { dropLapsedHolds, findHeldKeys } from './nonce-holds.ts'

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

/**
 * Lanes that are taken without an operation: by orders of the smart balance, since a solution names its nonce before
 * anything is built with it, and by builds whose payer signs now.
 */
export async function findReservedLanes(
  connection: Connection,
  account: string,
  network: number,
  now: Date,
): Promise<ReadonlySet<bigint>> {
  const orders = await connection
    .selectFrom('orders')
    .select('nonce_key')
    .where('account', '=', account)
    .where('output_network', '=', network)
    .where('state', 'in', ['RESERVED', 'SUBMITTED'])
    .where(isHeld(now))
    .execute()
  const held = await findHeldKeys(connection, account, network)
  return new Set([...orders.map(({ nonce_key }) => nonce_key), ...held])
}

/**
 * Builds that nobody signed in time give their lane back, and so do those that never came to be written. They were
 * never sent, so this is final.
 */
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
  await dropLapsedHolds(connection, account, network, now)
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
