import { type Database, inTransaction, type OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { actionsOfWarnings, type SessionAction, sessionKeyId, sessionWarnings } from '@lanyard/session-keys'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { getAddress, type Hex } from 'viem'
import { findWallet } from '../accounts/accounts/wallet.ts'
import { callsOf } from '../operations/track/operation-history.ts'
import { readSession } from './read-session.ts'
import { sessionCalls, spentBy } from './spent-by.ts'
import { fromStoredSession } from './stored-session.ts'

/** Events that one pass looks at. */
const pageSize = 100

/** Milliseconds until the same warning about a key may be repeated. */
const repeatAfter = 24 * 60 * 60_000

const outcomes = ['operation.included', 'operation.reverted', 'operation.dropped'] as const

export interface SessionWarningDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

type Warning = Database['session_warnings'] & { readonly type: WarningType }
type WarningType = Database['session_warnings']['type']

const typeOf = { 'emptied-at-once': 'session.emptied', 'fails-often': 'session.failing' } as const

/** Whether operations of session keys have ended on a network since the last pass. */
export async function hasSessionOutcomes(
  { database }: Pick<SessionWarningDependencies, 'database'>,
  { chainId }: Network,
): Promise<boolean> {
  const seen = await readSeen(database, chainId)
  return seen === undefined || (await eventsAfter(database, chainId, seen, 1)).length > 0
}

/**
 * Writes a warning for each session key that emptied an allowance at once, or keeps failing, judged by the operations
 * that ended since the last pass. The warnings and the place up to which they were looked for are written together.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next pass looks at the same operations again
 */
export async function warnOfSessions(
  { database, now, log }: SessionWarningDependencies,
  network: Network,
): Promise<void> {
  const { chainId } = network
  const seen = await readSeen(database, chainId)
  if (seen === undefined) return beginAtEnd(database, chainId)
  const events = await eventsAfter(database, chainId, seen, pageSize)
  const last = events.at(-1)?.position
  if (last === undefined || last === null) return
  // The newest of a key's operations stands for all of them.
  const newest = new Map(
    events.map(({ account, key, user_op_hash }) => [`${account}:${key}`, { account, key, user_op_hash }]),
  )
  const warnings: Warning[] = []
  for (const { account, key, user_op_hash } of newest.values()) {
    const found = await findWarnings(database, network, { account, key })
    for (const { keyId, type } of found) {
      warnings.push({ account, network: chainId, key_id: keyId, type, user_op_hash, warned_at: now() })
    }
  }
  const fresh = await inTransaction(database, async (transaction) => {
    const written = await writeWarnings(transaction, warnings)
    await transaction
      .updateTable('session_watches')
      .set({ position: last })
      .where('network', '=', chainId)
      .where('position', '<', last)
      .execute()
    return written
  })
  for (const { account, key_id, type } of fresh) {
    log.warn({ network: chainId, account: getAddress(account), keyId: key_id, type }, 'look at a session key')
  }
}

const readSeen = async (database: Kysely<Database>, chainId: number): Promise<number | undefined> =>
  (
    await database
      .selectFrom('session_watches')
      .select('position')
      .where('network', '=', chainId)
      .executeTakeFirst()
  )?.position

/** What happened before this service looked for the first time is not news. */
async function beginAtEnd(database: Kysely<Database>, chainId: number): Promise<void> {
  await database
    .insertInto('session_watches')
    .columns(['network', 'position'])
    .expression(
      database.selectFrom('event_positions').select([sql<number>`${chainId}::int8`.as('network'), 'last']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const eventsAfter = (database: Kysely<Database>, chainId: number, position: number, limit: number) =>
  database
    .selectFrom('events')
    .select([
      'position',
      'account',
      sql<string>`data->>'sessionKey'`.as('key'),
      sql<string>`data->>'userOpHash'`.as('user_op_hash'),
    ])
    .where('network', '=', chainId)
    .where('position', '>', position)
    .where(sql<boolean>`data->'sessionKey' is not null`)
    .where('type', 'in', outcomes)
    .orderBy('position')
    .limit(limit)
    .execute()

interface KeyOfAccount {
  /** In lower case. */
  readonly account: string
  /** As the column's JSON says it in text. */
  readonly key: string
}

async function findWarnings(
  database: Kysely<Database>,
  network: Network,
  { account, key }: KeyOfAccount,
): Promise<readonly { readonly keyId: Hex; readonly type: WarningType }[]> {
  const rows = await database
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', account)
    .where(sql<string>`session_key->>'key'`, '=', key)
    .where('session_key', 'is not', null)
    .where('signed_at', 'is not', null)
    .where('network', '=', network.chainId)
    .orderBy('signed_at', 'desc')
    .limit(actionsOfWarnings)
    .execute()
  const [first] = rows
  if (!first) return []
  const wallet = await findWallet(database, getAddress(account))
  const keyId = sessionKeyId(fromStoredSession(first).key)
  const state = await readSession(network, wallet.address, keyId)
  // Nothing is left to warn of once the owner has revoked it.
  if (!state) return []
  const toAction = (row: OperationRow): SessionAction => ({
    state: row.state,
    success: row.success ?? undefined,
    spent: row.success === true ? spentBy(sessionCalls(callsOf(row, wallet))) : [],
  })
  return sessionWarnings(state.session, rows.map(toAction)).map((warning) => ({
    keyId,
    type: typeOf[warning],
  }))
}

/** @returns those that were not written within the last day */
async function writeWarnings(
  database: Kysely<Database>,
  warnings: readonly Warning[],
): Promise<readonly Pick<Warning, 'account' | 'key_id' | 'type'>[]> {
  if (warnings.length === 0) return []
  return database
    .insertInto('session_warnings')
    .values(warnings)
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'network', 'key_id', 'type'])
        .doUpdateSet((set) => ({
          user_op_hash: set.ref('excluded.user_op_hash'),
          warned_at: set.ref('excluded.warned_at'),
        }))
        .where(
          sql<boolean>`session_warnings.warned_at <= excluded.warned_at - ${repeatAfter} * interval '1 millisecond'`,
        ),
    )
    .returning(['account', 'key_id', 'type'])
    .execute()
}
