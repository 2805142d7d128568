import { expect, test } from 'vitest'
import { claimPass } from './claim-pass.ts'
import { describeEachEngine, freshDatabase } from './testing/index.ts'

const at = (milliseconds: number) => new Date(1_800_000_000_000 + milliseconds)
const from = (milliseconds: number) => ({ now: at(milliseconds), next: at(milliseconds + 1_000) })

describeEachEngine('claimPass', (engine) => {
  test('behavior: if several processes claim a pass at once, one gets it', async () => {
    await using database = await freshDatabase(engine)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => claimPass(database.db, 'reconcile-1', from(0))),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  test('behavior: a pass is taken until the next one may begin', async () => {
    await using database = await freshDatabase(engine)
    expect(await claimPass(database.db, 'reconcile-1', from(0))).toBe(true)
    expect(await claimPass(database.db, 'reconcile-1', from(999))).toBe(false)
    expect(await claimPass(database.db, 'reconcile-1', from(1_000))).toBe(true)
  })

  test('behavior: each kind of work and each network has its own passes', async () => {
    await using database = await freshDatabase(engine)
    expect(await claimPass(database.db, 'reconcile-1', from(0))).toBe(true)
    expect(await claimPass(database.db, 'reconcile-2', from(0))).toBe(true)
  })

  test('behavior: a clock that is set back does not block anyone', async () => {
    await using database = await freshDatabase(engine)
    expect(await claimPass(database.db, 'reconcile-1', from(3_600_000))).toBe(true)
    expect(await claimPass(database.db, 'reconcile-1', from(0))).toBe(true)
  })
})
