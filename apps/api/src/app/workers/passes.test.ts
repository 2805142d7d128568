import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { recordStatements } from '../../../test/statements.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { createPasses } from './passes.ts'

const log = pino({ level: 'silent' })

/** A process with its own clock, which does not advance. */
function createProcess({ db }: TestDatabase) {
  let time = 1_800_000_000_000
  const metrics = createMetrics(log)
  const passes = createPasses({ database: db, now: () => new Date(time), log, metrics })
  return {
    passes,
    advance: (milliseconds: number) => {
      time += milliseconds
    },
    async count(outcome: 'done' | 'failed') {
      await metrics.text() // what was counted before the first reading shows in the second
      const text = await metrics.text()
      return Number(new RegExp(`passes_total\\{pass="work-1",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1])
    },
    [Symbol.asyncDispose]: () => passes.close(),
  }
}

const work = (run: () => Promise<unknown>, hasWork = async () => true) => ({
  name: 'work',
  network: 1,
  hasWork,
  run,
})

test('default: the first pass runs and counts before the start completes', async () => {
  await using database = await freshDatabase()
  await using one = createProcess(database)
  const run = vi.fn(async () => {})
  await one.passes.repeat(work(run))
  expect(run).toHaveBeenCalledTimes(1)
  expect(await one.count('done')).toBe(1)
})

test('behavior: a check without work writes nothing and does not count as a pass', async () => {
  await using database = await freshDatabase('pglite')
  await using one = createProcess(database)
  const statements = recordStatements(database)
  const run = vi.fn(async () => {})
  const hasWork = vi.fn(async () => false)
  await one.passes.repeat(work(run, hasWork))
  await expect.poll(() => hasWork.mock.calls.length).toBeGreaterThan(1)
  expect(statements.take()).toEqual([])
  expect(run).not.toHaveBeenCalled()
  expect(await one.count('done')).toBe(0)
})

test('behavior: two processes together run as many passes as one, and the other continues when one stops', async () => {
  await using database = await freshDatabase()
  await using other = createProcess(database)
  const runs = { one: vi.fn(async () => {}), other: vi.fn(async () => {}) }
  {
    await using one = createProcess(database)
    await one.passes.repeat(work(runs.one))
    await other.passes.repeat(work(runs.other))
    expect(runs.one).toHaveBeenCalledTimes(1)
    expect(runs.other).not.toHaveBeenCalled()
  }
  other.advance(1_000)
  await expect.poll(() => runs.other.mock.calls.length).toBe(1)
})

test('behavior: while a pass runs longer than its turn, no other process begins it', async () => {
  await using database = await freshDatabase()
  await using one = createProcess(database)
  await using other = createProcess(database)
  const end = Promise.withResolvers<void>()
  const running = vi.fn(() => end.promise)
  const idle = vi.fn(async () => {})
  void one.passes.repeat(work(running))
  await expect.poll(() => running.mock.calls.length).toBe(1)
  const looks = vi.fn(async () => true)
  void other.passes.repeat(work(idle, looks))
  const endsAt = async () =>
    (await database.db.selectFrom('passes').select('next_at').executeTakeFirstOrThrow()).next_at.getTime()
  for (let turn = 0; turn < 3; turn++) {
    const before = await endsAt()
    one.advance(800)
    other.advance(800)
    await expect.poll(endsAt).toBeGreaterThan(before)
    const seen = looks.mock.calls.length
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(seen)
    expect(idle).not.toHaveBeenCalled()
  }
  end.resolve()
  await one.passes.close()
  other.advance(4_000)
  await expect.poll(() => idle.mock.calls.length).toBeGreaterThan(0)
})

test('behavior: a failed pass is counted and the next one runs', async () => {
  await using database = await freshDatabase()
  await using one = createProcess(database)
  const run = vi.fn(async () => {}).mockRejectedValueOnce(new Error('away'))
  await one.passes.repeat(work(run))
  expect(await one.count('failed')).toBe(1)
  one.advance(1_000)
  await expect.poll(() => one.count('done')).toBe(1)
})

test('behavior: an unavailable database only delays the pass', async () => {
  await using database = await freshDatabase()
  await using one = createProcess(database)
  const run = vi.fn(async () => {})
  const hasWork = vi.fn(async () => true).mockRejectedValueOnce(new Error('away'))
  await one.passes.repeat(work(run, hasWork))
  expect(run).not.toHaveBeenCalled()
  await expect.poll(() => run.mock.calls.length).toBe(1)
})

test('behavior: closing waits for the running pass and starts no other', async () => {
  await using database = await freshDatabase()
  const one = createProcess(database)
  const end = Promise.withResolvers<void>()
  const run = vi.fn(() => end.promise)
  const repeated = one.passes.repeat(work(run))
  await expect.poll(() => run.mock.calls.length).toBe(1)
  const closed = one.passes.close()
  one.advance(1_000)
  end.resolve()
  await Promise.all([closed, repeated])
  expect(run).toHaveBeenCalledTimes(1)
  expect(await one.count('done')).toBe(1)
})
