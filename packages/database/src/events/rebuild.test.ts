/** @module-tag all */
// @promise 3
import { numericSeed, randomInteger, reportFigure } from '@lanyard/testing'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertOperation, randomHash } from '../../test/insert-operation.ts'
import { openDatabase } from '../open-database.ts'
import { dropReplaced } from '../operations/drop-operations.ts'
import { recordRejection, recordSubmitted } from '../operations/record-delivery.ts'
import { endOperation, finalizeBlocks, recordInclusion, recordReorg } from '../operations/record-inclusion.ts'
import { repairMissingInclusion } from '../operations/repair-operation.ts'
import type { Database, OperationRow } from '../schema.ts'
import { describeEachEngine, freshDatabase, testEngines } from '../testing/index.ts'
import { type AccountLog, findUnfinishedLogs, recordLogPage, startLooking } from './account-logs.ts'
import { publishEvents } from './publish-events.ts'
import { type PublishedEvent, readEvents } from './read-events.ts'

const pick = <T>(from: readonly T[]): T => from[randomInteger(from.length)] as T // never empty
const now = new Date()

/** The possible transitions of an operation; each does nothing if its guard does not hold. */
const transitions: readonly ((db: Kysely<Database>, row: OperationRow) => Promise<unknown>)[] = [
  ...Array.from({ length: 3 }, () => (db: Kysely<Database>, row: OperationRow) => {
    const success = randomInteger(3) > 0
    const revertReason = success ? undefined : 'reverted'
    return recordInclusion(db, {
      ...{
        userOpHash: row.user_op_hash,
        txnHash: randomHash(),
        blockHash: randomHash(),
        success,
        revertReason,
      },
      ...{ blockNumber: BigInt(randomInteger(1_000)), timestamp: now, gasCost: BigInt(randomInteger(1_000)) },
    })
  }),
  (db, row) => recordReorg(db, row, now),
  (db, row) => recordReorg(db, row, now),
  async (db, row) => row.block_hash && finalizeBlocks(db, row.network, [row.block_hash]),
  (db, row) => dropReplaced(db, row),
  (db, row) => recordSubmitted(db, row.user_op_hash, null),
  async (db, row) =>
    row.state !== 'included' && endOperation(db, row, { state: pick(['dropped', 'expired']) }),
  async (db, row) => row.state === 'included' && repairMissingInclusion(db, row, now),
  async (db, row) =>
    row.state === 'submitted' &&
    recordRejection(db as Parameters<typeof recordRejection>[0], row, {
      ...{ reason_code: 'OPERATION_REFUSED', reason_message: 'no', isTaken: randomInteger(2) === 0 },
    }),
]

class Crash extends Error {}

/** Runs one transition. Every fourth dies before its transaction commits; every fourth delays its commit. */
async function step(db: Kysely<Database>, hash: string): Promise<void> {
  const row = await db
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', hash)
    .executeTakeFirstOrThrow()
  const fate = randomInteger(4)
  const change = pick(transitions)
  await db
    .transaction()
    .execute(async (transaction) => {
      await change(transaction, row)
      if (fate === 0) throw new Crash()
      if (fate === 1) await new Promise((resolve) => setTimeout(resolve, randomInteger(20)))
    })
    .catch((error: unknown) => {
      // Two transitions that lock the same rows in different order: the database aborts one of them, which
      // acts like a crash.
      if (!(error instanceof Crash) && Reflect.get(Object(error), 'code') !== '40P01') throw error
    })
}

/**
 * A reader that reads page by page, crashes now and then, and resumes after the last position that it saved.
 */
function createReader(db: Kysely<Database>) {
  const read: PublishedEvent[] = []
  return {
    read,
    async look() {
      await publishEvents(db, now)
      const page = await readEvents(db, { after: read.at(-1)?.position ?? 0, limit: 1 + randomInteger(20) })
      if (randomInteger(4) > 0) read.push(...page)
      return page.length
    },
  }
}

interface Told {
  readonly userOpHash: string
  readonly state: string
  readonly final: boolean
  readonly success?: boolean
  readonly txnHash?: string
  readonly blockNumber?: string
  readonly blockHash?: string
  readonly gasCost?: string
}

const toTold = (row: OperationRow): Told => ({
  ...{ userOpHash: row.user_op_hash, state: row.state, final: row.final },
  ...(row.success !== null && { success: row.success }),
  ...(row.txn_hash !== null && { txnHash: row.txn_hash }),
  ...(row.block_number !== null && { blockNumber: String(row.block_number) }),
  ...(row.block_hash !== null && { blockHash: row.block_hash }),
  ...(row.gas_cost !== null && { gasCost: String(row.gas_cost) }),
})

const operations = 24
const workers = 6
const steps = 60

describeEachEngine('an account from its events', (engine) => {
  test(`behavior: over random histories with reorgs, crashes and replicas (seed ${numericSeed})`, async () => {
    await using database = await freshDatabase(engine)
    await using replica = database.url ? await openDatabase({ url: database.url }) : undefined
    const replicas = [database.db, replica?.db ?? database.db]
    const accounts = await Promise.all(['a', 'b', 'c'].map((name) => insertAccount(database.db, name)))
    const hashes: string[] = []
    for (let index = 0; index < operations; index++) {
      // Some compete for a nonce, some depend on others.
      const { user_op_hash } = await insertOperation(database.db, pick(accounts), {
        ...{ nonce_key: BigInt(randomInteger(3)), nonce_sequence: BigInt(randomInteger(3)) },
      })
      hashes.push(user_op_hash)
    }
    const readers = replicas.map(createReader)
    let isRunning = true
    const reading = readers.map(async ({ look }) => {
      while (isRunning) {
        await look()
        await new Promise((resolve) => setTimeout(resolve, randomInteger(5)))
      }
    })
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const db = replicas[worker % replicas.length] ?? database.db
        for (let done = 0; done < steps; done++) await step(db, pick(hashes))
      }),
    )
    isRunning = false
    await Promise.all(reading)

    const rows = await database.db.selectFrom('operations').selectAll().execute()
    for (const { read, look } of readers) {
      while ((await look()) > 0) {}
      // No event was missed or repeated.
      expect(read.map(({ position }) => position)).toEqual(read.map((_, index) => index + 1))
      const rebuilt = new Map<string, Told>()
      for (const { data } of read) {
        const { reason: _, ...told } = data as Told & { reason?: object }
        rebuilt.set(told.userOpHash, told)
      }
      const expected = rows.filter(({ user_op_hash }) => rebuilt.has(user_op_hash)).map(toTold)
      expect([...rebuilt.values()].sort(byHash)).toEqual(expected.sort(byHash))
      // Operations without events have never left their first state.
      const untold = rows.filter(({ user_op_hash }) => !rebuilt.has(user_op_hash))
      expect(untold.every(({ state }) => state === 'submitted')).toBe(true)
      const reorgs = read.filter(({ type }) => type === 'operation.reorged').length
      expect(reorgs).toBeGreaterThan(3)
      reportFigure(3, `events from which accounts were rebuilt (${engine})`, read.length)
      reportFigure(3, `of them reorgs (${engine})`, reorgs)
    }
  })
})

interface Block {
  readonly hash: string
  readonly logs: readonly AccountLog[]
}

/** A chain whose newest blocks change. Each block has some logs of some accounts. */
function createChain(accounts: readonly string[]) {
  let blocks: Block[] = []
  const types = ['owner.added', 'owner.removed', 'session.granted', 'session.revoked', 'transfer.received']
  const add = () => {
    const hash = randomHash()
    const logs = Array.from({ length: randomInteger(3) }, (_, logIndex) => ({
      ...{ blockHash: hash, blockNumber: BigInt(blocks.length), logIndex, txnHash: randomHash() },
      ...{ account: pick(accounts), type: pick(types), data: { amount: String(randomInteger(100)) } },
    }))
    blocks = [...blocks, { hash, logs }]
  }
  return {
    add,
    reorg() {
      const depth = Math.min(1 + randomInteger(4), blocks.length)
      blocks = blocks.slice(0, blocks.length - depth)
      for (let more = 0; more <= depth; more++) add()
    },
    /** A process's view of the chain at one moment; blocks deeper than any reorg are final. */
    read: () => ({ blocks, final: blocks.slice(0, -5) }),
  }
}

const logOf = ({ block_hash, log_index }: { block_hash: string; log_index: number }) =>
  `${block_hash}:${log_index}`

describeEachEngine('owners, sessions and transfers from their events', (engine) => {
  test(`behavior: over random chains with reorgs, slow processes and crashes (seed ${numericSeed})`, async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const accounts = await Promise.all(['a', 'b', 'c'].map((name) => insertAccount(db, name)))
    const chain = createChain(accounts)
    await startLooking(db, 1, { block: 0n, until: now })

    async function look(isSteady: boolean): Promise<void> {
      const { blocks, final } = chain.read()
      const unfinished = await findUnfinishedLogs(db, 1)
      const fate = isSteady ? 2 : randomInteger(3)
      if (fate === 0) return // it has crashed
      if (fate === 1) await new Promise((resolve) => setTimeout(resolve, randomInteger(10)))
      const present = new Set(blocks.map(({ hash }) => hash))
      await recordLogPage(db, 1, {
        found: blocks.flatMap(({ logs }) => logs),
        reorged: unfinished.map(({ block_hash }) => block_hash).filter((hash) => !present.has(hash)),
        final: final.map(({ hash }) => hash),
        readTo: BigInt(final.length),
        now,
      })
    }
    for (let round = 0; round < 40; round++) {
      if (randomInteger(3) === 0) chain.reorg()
      else chain.add()
      await Promise.all([look(false), look(false)])
    }
    await look(true)

    await publishEvents(db, now)
    const events = await readEvents(db, { after: 0, limit: 100_000 })
    const rebuilt = new Map<string, boolean>()
    for (const { type, data } of events) {
      const { blockHash, logIndex, final } = data as { blockHash: string; logIndex: number; final: boolean }
      const log = `${blockHash}:${logIndex}`
      if (type.endsWith('.reorged')) {
        expect(rebuilt.get(log)).toBe(false)
        rebuilt.delete(log)
      } else rebuilt.set(log, final)
    }
    const { blocks, final } = chain.read()
    const onChain = (some: readonly Block[]) =>
      some.flatMap(({ logs }) => logs.map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`)).sort()
    expect([...rebuilt.keys()].sort()).toEqual(onChain(blocks))
    expect([...rebuilt].flatMap(([log, isFinal]) => (isFinal ? [log] : [])).sort()).toEqual(onChain(final))
    const rows = await db.selectFrom('account_logs').selectAll().execute()
    expect(rows.map(logOf).sort()).toEqual(onChain(blocks))
    expect(events.filter(({ type }) => type.endsWith('.reorged')).length).toBeGreaterThan(3)
  })
})

const byHash = (a: Told, b: Told) => (a.userOpHash < b.userOpHash ? -1 : 1)

describe.skipIf(!testEngines().includes('postgresql'))('positions (PostgreSQL)', () => {
  test('behavior: an event that commits late comes after events that were already read', async () => {
    await using database = await freshDatabase('postgresql')
    const { db } = database
    const account = await insertAccount(db, 'alice')
    const insert = (on: Kysely<Database>, type: string) =>
      on.insertInto('events').values({ type, account, network: 1, data: '{}', position: null }).execute()
    const late = await db.startTransaction().execute()
    await insert(late, 'late')
    await insert(db, 'early')
    await publishEvents(db, now)
    const first = await readEvents(db, { after: 0, limit: 10 })
    expect(first.map(({ type }) => type)).toEqual(['early'])
    await late.commit().execute()
    await publishEvents(db, now)
    const next = await readEvents(db, { after: first[0]?.position ?? 0, limit: 10 })
    expect(next.map(({ type }) => type)).toEqual(['late'])
    expect(next[0]?.id).toBeLessThan(first[0]?.id ?? 0)
  })

  test('behavior: concurrent publishers give each event one position', async () => {
    await using database = await freshDatabase('postgresql')
    const { db } = database
    const account = await insertAccount(db, 'alice')
    await db
      .insertInto('events')
      .values(
        Array.from({ length: 1_200 }, () => ({ type: 'x', account, network: 1, data: '{}', position: null })),
      )
      .execute()
    const counts = await Promise.all(Array.from({ length: 5 }, () => publishEvents(db, now)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1_200)
    const events = await readEvents(db, { after: 0, limit: 2_000 })
    expect(events.map(({ position, id }) => [position, id])).toEqual(
      Array.from({ length: 1_200 }, (_, index) => [index + 1, index + 1]),
    )
  })
})
