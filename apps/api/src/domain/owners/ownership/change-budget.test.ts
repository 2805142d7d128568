import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { returnToBudget, takeFromBudget } from './change-budget.ts'

describeEachEngine('the budget of owner changes', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  const now = new Date('2026-11-26T12:00:00Z')
  const take = (caller: string, network = 1) =>
    takeFromBudget(database.db, { caller, network, budget: 1, now })
  const giveBack = (caller: string, network = 1) => returnToBudget(database.db, { caller, network, now })

  test('default: what an attempt gives back, the next one takes', async () => {
    expect(await take('a')).toBe(true)
    expect(await take('a')).toBe(false)
    await giveBack('a')
    expect(await take('a')).toBe(true)
    expect(await take('a')).toBe(false)
  })

  test('behavior: nobody gets more back than was taken, or what another caller or network took', async () => {
    expect(await take('b')).toBe(true)
    await giveBack('b', 2)
    await giveBack('c')
    expect(await take('b')).toBe(false)
    await giveBack('b')
    await giveBack('b')
    expect(await take('b')).toBe(true)
    expect(await take('b')).toBe(false)
  })
})
