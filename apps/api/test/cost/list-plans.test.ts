/** @module-tag all */
/** @module-tag first */
import { writeFile } from 'node:fs/promises'
import { deleteEvents, openDatabase } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { sessionKeyId } from '@lanyard/session-keys'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { operationFeatures } from '../../src/app/operation-features.ts'
import { purgeEvents } from '../../src/domain/events/purge-events.ts'
import { createArchive, purgeAccounting, purgeUnsigned } from '../../src/domain/operations/track/purge.ts'
import { inviteOperator } from '../../src/domain/operators/manage-operators.ts'
import { openSession } from '../../src/domain/operators/operator-sessions.ts'
import { ask } from '../http-service.ts'
import { type HistorySize, sessionKeys } from './history.ts'
import { type LongHistory, startLongHistory } from './long-history.ts'

/** Rows that one statement of a list may read: what one page shows comes from a few indexes. */
const maxRows = 2_500

/** Rows of one statement of a purge or of the archive, which handle up to 1,000 rows and what belongs to them. */
const maxBatchRows = 8_000

/** Calls the console as an operator who may see everything. */
async function openConsole({ fixture: { service, database } }: LongHistory) {
  const now = new Date()
  const { token } = await database.db.transaction().execute(async (transaction) => {
    const invited = await inviteOperator(transaction, { name: 'Olga', role: 'admin' }, now)
    const operatorId = invited?.operator.id ?? ''
    return openSession(transaction, { operatorId, address: '::1', userAgent: 'test', now })
  })
  return async (path: string, input?: unknown) => {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    const { status, body, text } = await ask(`${service.console?.origin}/trpc/${path}${query}`, {
      headers: { cookie: `lanyard-console=${token}` },
    })
    expect(status, text).toBe(200)
    return body.result.data
  }
}

async function readLists(history: LongHistory, when: string): Promise<void> {
  const { walletAddress, get, explained, step } = history
  const look = await openConsole(history)
  const { username } = await explained.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.user_id', 'users.id')
    .where('accounts.address', '=', walletAddress.toLowerCase())
    .select('username')
    .executeTakeFirstOrThrow()
  const oldest = await explained.db
    .selectFrom('every_operation')
    .where('account', '=', walletAddress.toLowerCase())
    .where('signed_at', 'is not', null)
    .orderBy('signed_at')
    .limit(1)
    .selectAll()
    .executeTakeFirstOrThrow()
  const middle = new Date((Date.now() + Number(oldest.signed_at)) / 2).toISOString()
  const read = (name: string, run: () => Promise<unknown>) => step(`${name}${when}`, run)
  const activity = `/wallet/activity?walletAddress=${walletAddress}`
  await read('activity', () => get(activity))
  await read('activity, in the middle', () => get(`${activity}&before=${middle}`))
  await read('history of the user', () => get(`/user?username=${username}`))
  await read('search by the beginning of a name', () => get('/api/user/search?query=other1'))
  await read('search inside of names', () => get('/api/user/search?query=er1'))
  await read('status of an old operation', () =>
    get(`/smart-account/transaction/status?userOpHash=${oldest.user_op_hash}`),
  )
  const ofKey = `/smart-account/session-key/history?walletAddress=${walletAddress}`
  await read('history of a session key', () => get(`${ofKey}&sessionKey=${sessionKeys[0]}`))
  const keyId = sessionKeyId(sessionKeys[0] as Hex) // 0x and 40 digits
  await read('history of a session key, by its id', () => get(`${ofKey}&sessionKey=${keyId}`))
  await read('console: overview', () => look('overview.read'))
  await read('console: charts', () => look('overview.series'))
  const latest = await read('console: latest operations', () => look('operations.search', {}))
  const { before } = latest as { before: unknown }
  await read('console: their next page', () => look('operations.search', { before }))
  for (const state of ['waiting', 'included', 'reverted', 'dropped'] as const)
    await read(`console: ${state} operations`, () => look('operations.search', { state }))
  for (const query of [walletAddress, username, oldest.user_op_hash])
    await read(
      `console: operations of ${query === username ? 'a name' : query.length > 42 ? 'a hash' : 'an address'}`,
      () => look('operations.search', { query }),
    )
  await read('console: dropped operations of an address', () =>
    look('operations.search', { query: walletAddress, state: 'reverted' }),
  )
  await read('console: an old operation', () => look('operations.detail', { hash: oldest.user_op_hash }))
  await read('console: recent accounts', () => look('accounts.search', {}))
  await read('console: an account', () => look('accounts.detail', { address: walletAddress }))
}

/** Lets something run until it has had time for a few transactions. */
async function runUntilTimeout(run: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), 300)
  await run(stop.signal)
  clearTimeout(timer)
}

/** A connection whose statements are not explained. */
async function openQuietly({ explained }: LongHistory) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(explained.db)
  const set = (value: number) =>
    sql
      .raw(`alter database ${rows[0]?.name} set auto_explain.log_min_duration = ${value}`)
      .execute(explained.db)
  await set(-1)
  const opened = await openDatabase({ url: explained.url ?? '', answerTimeout: 1_800_000 })
  await opened.db.selectFrom('users').select('id').limit(1).execute()
  await set(0) // for the connections that the service opens later
  return opened
}

/** Figures for docs/scaling.md. */
const figures: string[] = []

/** Operations that are moved at most, so that the figure comes soon. */
const maxMoved = 200_000

/** Reads every list, purges, moves operations to their months, and reads every list again. */
async function readAll(history: LongHistory, { all, interval = 1 }: HistorySize): Promise<void> {
  const { step, explained, build, submit, untilFinal } = history
  const { db } = explained
  const { userOpHash } = await step('an operation', async () => submit(await build()))
  await step('its way to finality', () => untilFinal(userOpHash))
  const ofStatus = `/smart-account/transaction/status?history=true&userOpHash=${userOpHash}`
  const { history: steps, signer } = await step('its history', () => history.get(ofStatus))
  expect(steps.map(({ what }: { what: string }) => what)).toEqual([
    ...['built', 'signed', 'sent', 'included', 'final'],
  ])
  expect(signer).toBe(history.owner)
  await readLists(history, '')
  const now = new Date()
  await step('purge of builds', () => purgeUnsigned(db, operationFeatures, now))
  await step('purge of accounting', () => purgeAccounting(db, now))
  // Explaining each statement of the triggers would take longer than they do: a few batches show the plans.
  const kept = all - Math.min(all / 2, maxMoved)
  const before = new Date(now.getTime() - kept * interval * 1000)
  await step('archive', () => runUntilTimeout((signal) => createArchive(db)({ before, now, signal })))
  const later = new Date(now.getTime() + 31 * 86_400_000)
  await step('purge of events', () => deleteEvents(db, { before: later, limit: 1_000 }))
  await using quiet = await openQuietly(history)
  const { signal } = new AbortController()
  await measure('operations moved', () => createArchive(quiet.db)({ before, now, signal }))
  await quiet.db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze operations, archived_operations`.execute(connection)
  })
  await readLists(history, ', archived')
  await measure('events deleted', () => purgeEvents(quiet.db, later))
}

async function measure(what: string, run: () => Promise<number>): Promise<void> {
  const from = performance.now()
  const count = await run()
  figures.push(`${count} ${what} in ${Math.round(performance.now() - from)} ms`)
}

async function expectCheap(size: HistorySize): Promise<void> {
  await using history = await startLongHistory(size, 'auto', { ROLES: 'api,worker,admin', CONSOLE_PORT: '0' })
  try {
    await readAll(history, size)
  } finally {
    if (process.env.LIST_PLANS_REPORT) await writeFile(process.env.LIST_PLANS_REPORT, reportOf(history))
  }
  expect(costlyOf(history)).toEqual([])
}

/** A line for each step: statements, milliseconds in all, then milliseconds, rows and pages of the slowest statement. */
function reportOf({ steps }: LongHistory): string {
  const lines = [...steps].map(([name, statements]) => {
    const slowest = statements.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
    const total = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
    const { milliseconds, rows, pages, text } = slowest ?? {}
    const shown = text?.replace(/\s+/g, ' ').slice(0, 200)
    return [name, statements.length, total.toFixed(1), milliseconds, rows, pages, shown].join('\t')
  })
  return [...lines, ...figures, ''].join('\n')
}

function costlyOf({ steps }: LongHistory): readonly string[] {
  const costly = [...steps].flatMap(([name, statements]) => {
    const limit = /^(purge|archive)/.test(name) ? maxBatchRows : maxRows
    return statements
      .filter(({ rows }) => rows > limit)
      .map(({ rows, text }) => `${name}: ${rows} rows: ${text.replace(/\s+/g, ' ')}`)
  })
  return [...new Set(costly)]
}

describe.skipIf(!testEngines().includes('postgresql'))('rows that lists, purges and the archive read', () => {
  test(
    'behavior: the bound holds with 50,000 operations of the account and 200,000 in total',
    { timeout: 1_800_000 }, // half a minute for the rows alone, on an idle machine
    () => expectCheap({ account: 50_000, all: 200_000, others: 50_000, interval: 120 }),
  )

  test(
    'behavior: the bound holds with 100,000 operations of the account and 5,000,000 in total',
    { tags: ['long'], timeout: 3_600_000 },
    () => expectCheap({ account: 100_000, all: 5_000_000, others: 200_000, interval: 6 }),
  )
})
