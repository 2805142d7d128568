/** @module-tag all */
import { freshDatabase, type TestDatabase, testEngines } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { CompiledQuery, createQueryId, type RootOperationNode, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ownPaymasters } from '../own-paymasters.ts'
import type { EmbeddedContext } from './context.ts'
import { waitingOperations } from './waiting-operations.ts'

const [attacked, crowded, empty] = [31337, 10, 8453]
const now = new Date()

/** Accounts of the attacked network, with so many signed operations each. */
const accounts = 100
const operationsOfEach = 48

/** Accounts of another network, with one signed operation each. */
const elsewhere = 3_000

/** What is read of an account with at least 16 lanes: one step of the walk, its lanes, and what is chosen. */
const rowsOfAccount = 25

type Db = TestDatabase['db']

/** What is in the queue when PostgreSQL counts its rows. */
type Counting = 'empty' | 'filling' | 'attacked' | 'crowded' | 'full'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  return `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`
}

/** Rows of `operations` that a plan reads from the table and its indexes, whether they matched or not. */
const rowsRead = (node: PlanNode): number => {
  const isScan = node['Relation Name'] === 'operations' || node['Index Name']?.startsWith('operations_')
  const { 'Actual Rows': matched = 0, 'Actual Loops': loops = 0, Plans: parts = [] } = node
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return parts.reduce((sum, part) => sum + rowsRead(part), isScan ? (matched + removed) * loops : 0)
}

describe.skipIf(!testEngines().includes('postgresql'))('the query of the queue (PostgreSQL)', () => {
  async function uncountedDatabase(): Promise<TestDatabase> {
    const database = await freshDatabase('postgresql')
    for (const table of ['operations', 'accounts', 'users', 'account_backoffs'])
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db)
    return database
  }

  /** Accounts with signed operations on lanes of their own. */
  async function fill(db: Db, network: number, count: number, each: number): Promise<void> {
    const address = sql`'0x' || substr(encode(sha256((${network}::text || ' ' || i)::bytea), 'hex'), 1, 40)`
    await sql`
      with created as (
        insert into users (id, kind, username, username_key, created_at)
        select gen_random_uuid(), 'eoa', ${address}, ${address}, ${now}::timestamptz
        from generate_series(1, ${count}::int4) as i
        returning id, username
      )
      insert into accounts (address, user_id, eoa_address, deployment, created_at)
      select username, id, username, '{}', ${now}::timestamptz from created`.execute(db)
    await sql`
      insert into operations (
        user_op_hash, account, network, entry_point, nonce_key, nonce_sequence, user_op, safe_op_hash, valid_after,
        valid_until, sign_mode, value, deploys, state, built_at, build_expires_at, signature, signed_at
      )
      select gen_random_uuid()::text, ${address}, ${network}::int8, '0x', lane, 0,
        jsonb_build_object('maxFeePerGas', '1', 'maxPriorityFeePerGas', '1', 'callData', repeat('0', 1000)), '0x',
        0, 0, 'ECDSA', 0, false, 'submitted', ${now}::timestamptz, ${now}::timestamptz, '0x', ${now}::timestamptz
      from generate_series(1, ${count}::int4) as i, generate_series(1, ${each}::int4) as lane`.execute(db)
  }

  /** What the query of a network chooses, and the rows that it reads for that. */
  async function explain(connection: Db, chainId: number): Promise<{ chosen: number; rows: number }> {
    const config = networkConfig.parse({
      chainId,
      name: 'Test',
      rpcUrls: ['http://127.0.0.1:1'],
      local: true,
    })
    let node: RootOperationNode | undefined
    const db = connection.withPlugin({
      transformQuery: ({ node: requested }) => {
        node = requested
        // Its rows hold no real operations.
        throw new Error('only explained')
      },
      transformResult: async ({ result }) => result,
    })
    // The query reads no more of the context than this.
    const context = {
      network: createNetworks([config]).get(chainId),
      ownPaymasters: ownPaymasters(config),
      database: db,
      now: () => now,
    } as EmbeddedContext
    await expect(waitingOperations(context)).rejects.toThrow('only explained')
    if (!node) throw new TypeError('It makes one query')
    const query = connection.getExecutor().compileQuery(node, createQueryId())
    // As a named statement, with the generic plan that connections use for it.
    const values = query.parameters.map(toLiteral)
    const { rows } = await connection.transaction().execute(async (trx) => {
      const run = <T>(text: string) => trx.executeQuery<T>(CompiledQuery.raw(text))
      await run(`prepare queue as ${query.sql}`)
      const answer = await run<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) execute queue(${values.join(', ')})`,
      )
      await run('deallocate queue')
      return answer
    })
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (!plan) throw new TypeError('PostgreSQL explains it')
    return { chosen: plan['Actual Rows'] ?? 0, rows: rowsRead(plan) }
  }

  /** When PostgreSQL counts the rows. Only these tests do: autovacuum would at any moment between two statements. */
  const countings: Readonly<Record<string, readonly Counting[]>> = {
    never: [],
    'before the queue fills': ['empty'],
    'while the queue fills': ['filling'],
    'before another network fills': ['attacked'],
    'before this network fills': ['crowded'],
    'when all wait': ['full'],
  }
  test.each(Object.entries(countings))(
    'behavior: it reads rows in proportion to the accounts that wait on its network, with rows counted %s',
    async (_when, counted) => {
      await using database = await uncountedDatabase()
      const { db } = database
      const count = async (at: Counting) => {
        if (counted.includes(at)) await sql`vacuum analyze`.execute(db)
      }
      await count('empty')
      if (counted.includes('crowded')) await fill(db, crowded, elsewhere, 1)
      await count('crowded')
      await db.transaction().execute(async (transaction) => {
        await fill(transaction, attacked, accounts, operationsOfEach)
        if (counted.includes('filling')) await database.pool?.query('analyze')
      })
      await count('attacked')
      if (!counted.includes('crowded')) await fill(db, crowded, elsewhere, 1)
      await count('full')

      const full = await explain(db, attacked)
      expect(full.chosen).toBe(accounts)
      expect(full.rows).toBeLessThanOrEqual(rowsOfAccount * accounts)
      // Operations of another network cost nothing.
      expect(await explain(db, empty)).toEqual({ chosen: 0, rows: expect.toSatisfy((rows) => rows < 10) })
      // Nor do those of accounts that wait as a whole.
      const waits = 90
      await sql`insert into account_backoffs (network, account, failures, next_at)
      select distinct on (account) network, account, 1, ${new Date(now.getTime() + 1_000)}::timestamptz
      from operations where network = ${attacked} order by account limit ${waits}`.execute(db)
      const few = await explain(db, attacked)
      expect(few.chosen).toBe(accounts - waits)
      expect(few.rows).toBeLessThanOrEqual(rowsOfAccount * few.chosen + accounts + 1)
    },
  )
})
