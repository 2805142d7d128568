import { createHash } from 'node:crypto'
import { openDatabase } from '@lanyard/database'
import { describeEachEngine, freshDatabase, testEngines } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hideSecrets } from '../secrets/hidden-secrets.ts'
import { canonicalJson } from './entry.ts'
import { listAuditLog, readAuditLog, verifyAuditLog } from './read-audit-log.ts'
import { type Act, recordAct, recordChange } from './record-act.ts'

const alice = { actor: 'cli:alice', source: 'bastion' }
const act: Act = { ...alice, act: 'key.create', subject: 'lk_secret_12345678', after: { b: 1n, a: ['x'] } }

type Database = Awaited<ReturnType<typeof freshDatabase>>['db']
const record = (db: Database, given: Act = act) =>
  db.transaction().execute((transaction) => recordAct(transaction, given))

/** As the owner of the database may, past the trigger. */
const tamper = (db: Database, statement: string) =>
  db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql.raw(statement).execute(transaction)
  })

describeEachEngine('the audit log', (engine) => {
  test('default: acts form a chain, and one that is rolled back leaves no gap', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    expect(await verifyAuditLog(db)).toMatchObject({ holds: true, entries: 0 })
    const first = await record(db)
    const undone = db.transaction().execute(async (transaction) => {
      await recordAct(transaction, act)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const second = await record(db, { ...alice, act: 'key.revoke', before: { a: 1 } })
    const entries = await Array.fromAsync(readAuditLog(db))
    expect(entries).toEqual([first, second])
    expect(entries).toMatchObject([
      { position: 1, before: null, after: { a: ['x'], b: '1' }, previousHash: '0'.repeat(64) },
      { position: 2, subject: '', before: { a: 1 }, after: null, previousHash: first.hash },
    ])
    // As the documents say how to check a line of an export.
    const { hash, ...rest } = second
    expect(createHash('sha256').update(canonicalJson(rest)).digest('hex')).toBe(hash)
    expect(await verifyAuditLog(db)).toEqual({ holds: true, entries: 2, hash })
    expect(await listAuditLog(db, { act: 'key.c', limit: 9 })).toEqual([first])
    expect(await listAuditLog(db, { before: 2, limit: 9 })).toEqual([first])
  })

  test('behavior: a change is recorded once, with what was there before', async () => {
    await using database = await freshDatabase(engine)
    const change = (after: unknown) =>
      database.db
        .transaction()
        .execute((transaction) => recordChange(transaction, { ...alice, act: 'configuration.change', after }))
    expect(await change({ a: 1, b: [2] })).toMatchObject({ before: null })
    expect(await change({ b: [2], a: 1 })).toBeUndefined()
    expect(await change({ a: 2 })).toMatchObject({ before: { a: 1, b: [2] }, after: { a: 2 } })
  })

  test('behavior: a secret never gets into it', async () => {
    await using database = await freshDatabase(engine)
    const key = `lk_secret_12345678${'k'.repeat(43)}`
    hideSecrets(['a-secret-of-the-process'])
    const entry = await record(database.db, {
      ...act,
      subject: key,
      after: { key, of: 'a-secret-of-the-process' },
    })
    expect(JSON.stringify(entry)).not.toMatch(/kkkk|a-secret-of/)
  })

  test.each([
    ['changed', `update audit_log set after = '{}' where position = 2`, 2],
    ['given another time', `update audit_log set at = at + interval '1 day' where position = 2`, 2],
    ['removed', 'delete from audit_log where position = 2', 2],
    ['removed at the end', 'delete from audit_log where position = 3', 3],
    [
      'replaced with its hash',
      `update audit_log set (actor, hash) = (select actor, hash from audit_log where position = 1) where position = 3`,
      3,
    ],
  ])('behavior: an entry that is %s is found', async (_, statement, position) => {
    await using database = await freshDatabase(engine)
    const { db } = database
    for (let count = 0; count < 3; count++) await record(db)
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(/append-only/)
    expect(await verifyAuditLog(db)).toMatchObject({ holds: true })
    await tamper(db, statement)
    expect(await verifyAuditLog(db)).toMatchObject({ holds: false, position })
  })

  test('behavior: a whole new chain holds in itself, but not against an earlier export', async () => {
    await using before = await freshDatabase(engine)
    await using after = await freshDatabase(engine)
    const kept = new Map<number, string>()
    for (let count = 0; count < 2; count++) {
      const { position, hash } = await record(before.db)
      kept.set(position, hash)
      await record(after.db, { ...act, actor: 'cli:mallory' })
    }
    expect(await verifyAuditLog(before.db, kept)).toMatchObject({ holds: true })
    expect(await verifyAuditLog(after.db)).toMatchObject({ holds: true })
    expect(await verifyAuditLog(after.db, kept)).toMatchObject({ holds: false, position: 1 })
  })
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: two replicas that act at once write one chain',
  async () => {
    await using one = await freshDatabase('postgresql')
    await using other = await openDatabase({ url: one.url })
    const acts = Array.from({ length: 30 }, (_, index) => record(index % 2 ? one.db : other.db))
    const positions = (await Promise.all(acts)).map(({ position }) => position).sort((a, b) => a - b)
    expect(positions).toEqual(acts.map((_, index) => index + 1))
    expect(await verifyAuditLog(other.db)).toMatchObject({ holds: true, entries: 30 })
  },
)
