/** @module-tag all */
/** @module-tag longer */
// @promise 19
import { openDatabase } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import { type RawBuilder, sql } from 'kysely'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { addMissingProgress } from '../../src/domain/owners/messages/add-missing-progress.ts'
import { findDueAccounts, listProgress } from '../../src/domain/owners/messages/message-progress.ts'
import { readProtectionHistory } from '../../src/domain/owners/protection-history.ts'
import { encodeOwners } from '../../src/domain/owners/recovery/recovery.ts'
import { type ExplainedDatabase, explainedDatabase } from '../explained-statements.ts'

/** Owner changes and recoveries, each final on the network. */
const finalRows = isLong ? 200_000 : 40_000

/** More than one statement adds for a network. */
const fewRows = 6_000

/** Rows that one look may read: what it returns, from an index, and twice as many from the tables. */
const maxRows = 100

const [network, added] = [31337, 31338]
const now = new Date('2026-11-26T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const account = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

/** Runs statements that take long, and are of no interest. */
async function run({ url }: ExplainedDatabase, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  if (!url) throw new TypeError('This fixture needs PostgreSQL')
  await using quiet = await openDatabase({ url, answerTimeout: 600_000 })
  await quiet.db.connection().execute(async (connection) => {
    for (const setting of ['statement_timeout', 'session_replication_role', 'auto_explain.log_min_duration'])
      await sql`select set_config(${setting}, ${settings[setting]}, false)`.execute(connection)
    for (const statement of statements) await statement.execute(connection)
    for (const table of ['owner_changes', 'recoveries', 'message_progress'])
      await sql`analyze ${sql.table(table)}`.execute(connection)
  })
}

/** Without triggers, foreign keys are not checked row by row. */
const settings: Readonly<Record<string, string>> = {
  ...{ statement_timeout: '0', session_replication_role: 'replica' },
  'auto_explain.log_min_duration': '-1',
}

async function fill(database: ExplainedDatabase, rows: number): Promise<void> {
  const of = sql.raw(`'0x' || lpad(to_hex(n), 40, '0')`)
  const all = sql`generate_series(1, ${rows}::int4) as n`
  const before = sql`${ago(86_400)}::timestamptz`
  await run(database, [
    sql`insert into owner_changes (account, sequence, kind, data, signature, hash, sent_by, created_at)
      select ${of}, 0, '0x', '0x', '0x', '0xc0', 'shop', ${before} from ${all}`,
    sql`insert into message_progress (account, hash, network, kind, state, final, next_attempt_at)
      select ${of}, '0xc0', ${network}::int8, 'change', 'executed', true, ${before} from ${all}`,
    sql`insert into recoveries
        (account, hash, sequence, number, new_owners, new_threshold, result, head, sent_by, created_at, complete_at)
      select ${of}, '0x', 0, 1, ${encodeOwners([])}, 1, '0x', '0x', 'shop', ${before}, ${before} from ${all}`,
    sql`insert into message_progress (account, hash, network, kind, state, final, next_attempt_at)
      select ${of}, '0x', ${network}::int8, 'recovery', 'executed', true, ${before} from ${all}`,
  ])
}

/** Makes these due: the first account for the longest. */
async function makeDue(database: ExplainedDatabase, accounts: number): Promise<void> {
  const since = sql`${ago(2 * accounts)}::timestamptz
    + make_interval(secs => ('x' || right(account, 8))::bit(32)::int4)`
  const last = account(accounts)
  await run(database, [
    sql`update message_progress set state = 'pending', final = false, next_attempt_at = ${since}
      where account <= ${last}`,
    // What takes recoveries back does not wait for them.
    sql`update recoveries set new_owners = null where account = ${last}`,
    sql`update message_progress set kind = 'cancellation' where account = ${last} and kind = 'recovery'`,
  ])
}

const costly = (statements: ReturnType<ExplainedDatabase['take']>) =>
  statements
    .filter(({ rows, scanned }) => rows > maxRows || scanned.length > 0)
    .map(({ rows, scanned, text }) => `${rows} rows, full scan of ${scanned.join(', ')}: ${text}`)

describe.skipIf(!testEngines().includes('postgresql'))(
  'the look for due owner changes and recoveries',
  () => {
    test.each(['auto', 'force_generic_plan'] as const)(
      'behavior: reads an index, and takes the longest due first (%s)',
      async (plans) => {
        await using database = await explainedDatabase(plans)
        const { db } = database
        await fill(database, finalRows)
        database.take()

        const look = { now, limit: 10 }
        expect(await findDueAccounts(db, network, look)).toEqual([])
        const statements = database.take()
        expect(statements).toHaveLength(1)
        expect(costly(statements)).toEqual([])
        reportFigure(
          19,
          `Milliseconds of a look with ${2 * finalRows} final rows`,
          statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
        )

        const one = getAddress(account(1))
        expect(await listProgress(db, one)).toHaveLength(2)
        expect(await readProtectionHistory(db, one, [network])).toHaveLength(2)
        expect(costly(database.take())).toEqual([])

        await makeDue(database, 5_000)
        database.take()
        expect(await findDueAccounts(db, network, look)).toEqual([
          account(5_000),
          ...Array.from({ length: 10 }, (_, index) => account(index + 1)),
        ])
        // Up to 16 changes of each account may be due.
        const others = database.take().filter(({ rows, scanned }) => rows > 400 || scanned.length > 0)
        expect(others).toEqual([])
      },
    )

    test('behavior: a network that is added later gets what was signed before', async () => {
      await using database = await explainedDatabase()
      const { db } = database
      await fill(database, fewRows)
      await addMissingProgress(db, added, { since: ago(3_600), now })
      expect(await findDueAccounts(db, added, { now, limit: 1 })).toEqual([])
      await addMissingProgress(db, added, { since: new Date(0), now })
      await addMissingProgress(db, added, { since: new Date(0), now })
      expect(await findDueAccounts(db, added, { now, limit: 10 })).toHaveLength(10)
      const { rows } = await sql<{ count: number }>`
      select count(*)::int4 as count from message_progress where network = ${added}::int8`.execute(db)
      expect(rows).toEqual([{ count: 2 * fewRows }])
    })
  },
)
