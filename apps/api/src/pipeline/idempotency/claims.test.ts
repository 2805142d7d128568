// @promise 2
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimCall, type KeyedCall, purgeAnswers, renewClaim, writeAnswer } from './claims.ts'

const call: KeyedCall = { caller: '{}', endpoint: '/x', key: 'order-17', requestHash: 'aa' }
const second = 1_000
const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds)

/** Claims a call that must be free. */
async function claimFree({ db }: TestDatabase, now = at(0)): Promise<string> {
  const found = await claimCall(db, call, { now })
  if (found.kind === 'claimed') return found.claim
  return expect.unreachable('is free')
}

const expectRunning = ({ db }: TestDatabase, now: Date) =>
  expect(claimCall(db, call, { now })).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' })

describeEachEngine('claimCall', (engine) => {
  test('default: a stored answer is returned to later claims', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const claim = await claimFree(database)
    await expectRunning(database, at(1))
    expect(await writeAnswer(db, call, { claim, state: 'finished', answer: '{"output":1}' })).toBe(true)
    expect(await claimCall(db, call, { now: at(2) })).toEqual({ kind: 'answered', answer: '{"output":1}' })
  })

  test('behavior: one of twenty concurrent claims succeeds', async () => {
    await using database = await freshDatabase(engine)
    const found = await Promise.allSettled(
      Array.from({ length: 20 }, () => claimCall(database.db, call, { now: at(0) })),
    )
    expect(found.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('behavior: the claim of a dead process blocks for ten seconds, after which it cannot store an answer', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const dead = await claimFree(database)
    await expectRunning(database, at(9 * second))
    const alive = await claimFree(database, at(10 * second))
    expect(await writeAnswer(db, call, { claim: dead, state: 'finished', answer: '1' })).toBe(false)
    expect(await writeAnswer(db, call, { claim: alive, state: 'finished', answer: '2' })).toBe(true)
    expect(await writeAnswer(db, call, { claim: alive, state: 'finished', answer: '3' })).toBe(false)
  })

  test('behavior: a live process keeps its claim', async () => {
    await using database = await freshDatabase(engine)
    const claim = await claimFree(database)
    await renewClaim(database.db, call, { claim, now: at(8 * second) })
    await expectRunning(database, at(17 * second))
    await claimFree(database, at(18 * second))
  })

  test('behavior: a transient failure is retried', async () => {
    await using database = await freshDatabase(engine)
    const claim = await claimFree(database)
    await writeAnswer(database.db, call, { claim, state: 'unfinished', answer: '504' })
    await claimFree(database, at(1))
  })

  test('behavior: another caller, endpoint or key is another call', async () => {
    await using database = await freshDatabase(engine)
    await claimFree(database)
    for (const other of [{ caller: '{"key":"web"}' }, { endpoint: '/y' }, { key: 'order-18' }]) {
      const { kind } = await claimCall(database.db, { ...call, ...other, requestHash: 'bb' }, { now: at(0) })
      expect(kind).toBe('claimed')
    }
  })

  test('behavior: a key is free for any request after 24 hours', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const claim = await claimFree(database)
    await writeAnswer(db, call, { claim, state: 'finished', answer: '1' })
    const day = 24 * 60 * 60 * second
    expect((await claimCall(db, call, { now: at(day - 1) })).kind).toBe('answered')
    const other = { ...call, requestHash: 'bb' }
    expect((await claimCall(db, other, { now: at(day) })).kind).toBe('claimed')
    expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toHaveLength(1)
    // The new request takes the key for another 24 hours.
    await expect(claimCall(db, other, { now: at(day + 1) })).rejects.toMatchObject({
      code: 'REQUEST_IN_PROGRESS',
    })
    await expect(claimCall(db, call, { now: at(2 * day - 1) })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    })
  })

  test('behavior: one pass deletes any number of answers after 24 hours', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const day = 24 * 60 * 60 * second
    await sql`
      insert into idempotency_keys
        (caller, endpoint, key, request_hash, state, claim, claim_expires_at, answer, created_at)
      select 'web', '/x', n::text, '', 'finished', gen_random_uuid(), ${at(0)}, '{}',
        case when n <= 1200 then ${at(0)}::timestamptz else ${at(1)} end
      from generate_series(1, 1203) as n`.execute(db)
    expect(await purgeAnswers(db, at(day))).toBe(1_200)
    expect(await purgeAnswers(db, at(day))).toBe(0)
    expect(await db.selectFrom('idempotency_keys').select('key').execute()).toHaveLength(3)
  })

  test.each(['running', 'unfinished', 'finished'] as const)(
    'error: IDEMPOTENCY_MISMATCH for another request while the claim is %s',
    async (state) => {
      await using database = await freshDatabase(engine)
      const { db } = database
      const claim = await claimFree(database)
      if (state !== 'running') await writeAnswer(db, call, { claim, state, answer: '1' })
      const other = claimCall(db, { ...call, requestHash: 'bb' }, { now: at(11 * second) })
      await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    },
  )
})
