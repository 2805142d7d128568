import type { Database, OperationRow } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isHeld, isNonceUsed } from '../smart-balance/holdings.ts'
import { dropLapsedHolds } from './nonce-holds.ts'

type Connection = Kysely<Database> | Transaction<Database>

/**
 * An operation is unresolved, and holds its lane, while it is built (and not expired), signed and not included,
 * or dropped in a way that a reorg could still undo. An included operation frees its lane at once: the next one
 * takes the next sequence.
 *
 * Builds that nobody signed in time expire here. They were never sent, so this is final.
 */
export async function findUnresolved(
  connection: Connection,
  account: string,
  network: number,
  now: Date,
): Promise<OperationRow[]> {
  const rows = await connection
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', account)
    .where('network', '=', network)
    .where('final', '=', false)
    .where('state', 'in', ['built', 'submitting', 'submitted', 'dropped', 'expired'])
    .execute()
  const { lapsed = [], open = [] } = Object.groupBy(rows, ({ state, build_expires_at }) =>
    state === 'built' && build_expires_at <= now ? 'lapsed' : 'open',
  )
  if (lapsed.length > 0) await expireBuilds(connection, lapsed)
  return open
}

async function expireBuilds(connection: Connection, builds: readonly OperationRow[]): Promise<void> {
  await connection
    .updateTable('operations')
    .set({
      state: 'expired',
      final: true,
      reason_code: 'BUILD_EXPIRED',
      reason_message: 'Nobody signed this build in time.',
    })
    .where(
      'user_op_hash',
      'in',
      builds.map(({ user_op_hash }) => user_op_hash),
    )
    .where('state', '=', 'built')
    .execute()
}

/** What the database knows of an account's lanes on one network, beside its unresolved operations. */
export interface KnownLanes {
  /**
   * Lanes that are taken without an operation: by orders of the smart balance, since a solution names its nonce before
   * anything is built with it, and by builds whose payer signs now.
   */
  readonly reserved: ReadonlySet<bigint>
  /** By nonce key, the sequence after the last one that is known to be included. */
  readonly next: ReadonlyMap<bigint, bigint>
}

/**
 * Reads it all in one statement, since every build does, under a lock. Holds of processes that died give their lanes
 * back here.
 */
export async function findLanes(
  connection: Connection,
  account: string,
  network: number,
  now: Date,
): Promise<KnownLanes> {
  const known = await connection
    .selectFrom('operations')
    .select([
      sql<Source>`'included'`.as('source'),
      'nonce_key',
      sql<bigint | null>`max(nonce_sequence)`.as('sequence'),
      sql<Date | null>`null::timestamptz`.as('expires_at'),
    ])
    .where('account', '=', account)
    .where('network', '=', network)
    .where('state', '=', 'included')
    .groupBy('nonce_key')
    .unionAll((eb) =>
      eb
        .selectFrom('orders')
        .select([
          sql<Source>`'order'`.as('source'),
          'nonce_key',
          sql<bigint | null>`null::numeric`.as('sequence'),
          sql<Date | null>`null::timestamptz`.as('expires_at'),
        ])
        .where('account', '=', account)
        .where('output_network', '=', network)
        .where('state', 'in', ['RESERVED', 'SUBMITTED'])
        .where(isHeld(now))
        // Workers note later what came of the order; its nonce is used already.
        .where((where) => where.not(isNonceUsed(where))),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('nonce_holds')
        .select([
          sql<Source>`'hold'`.as('source'),
          'nonce_key',
          sql<bigint | null>`null::numeric`.as('sequence'),
          sql<Date | null>`expires_at`.as('expires_at'),
        ])
        .where('account', '=', account)
        .where('network', '=', network),
    )
    .execute()
  const lapsed = known.filter(({ expires_at }) => expires_at !== null && expires_at <= now)
  if (lapsed.length > 0) await dropLapsedHolds(connection, account, network, now)
  const taken = known.filter((row) => row.source !== 'included' && !lapsed.includes(row))
  return {
    reserved: new Set(taken.map(({ nonce_key }) => nonce_key)),
    next: new Map(
      known.flatMap(({ nonce_key, sequence }) => (sequence === null ? [] : [[nonce_key, sequence + 1n]])),
    ),
  }
}

type Source = 'included' | 'order' | 'hold'

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
