// @promise 24 C.2
import { describeEachEngine, freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { budgetSenderOf, returnToBudgets, sharedSender, takeFromBudgets } from './change-budget.ts'

const secret = { kind: 'secret', name: 'shop' } as const
const publishable = { kind: 'publishable', name: 'web' } as const
const account: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
type Key = Parameters<typeof budgetSenderOf>[0]['apiKey']

describe('budgetSenderOf', () => {
  const of = (apiKey: object | undefined, address = '192.0.2.1') =>
    budgetSenderOf({ apiKey: apiKey as Key, address }, account)

  test('default: the name of a secret key; for others the shared budget and who shares it', () => {
    expect(of(secret)).toBe('shop')
    expect(of(publishable)).toMatch(/^public:web [0-9a-f]{32}$/)
    expect(of(undefined)).toMatch(/^anonymous [0-9a-f]{32}$/)
    expect(of(undefined)).toBe(of(undefined, '192.0.2.2'))
    expect(of(undefined)).not.toBe(of(undefined, '192.0.3.1'))
  })
})

describeEachEngine('the budgets of owner changes', (engine) => {
  let database: TestDatabase
  let network = 0
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  const now = new Date('2026-11-26T12:00:00Z')
  type Payment = Parameters<typeof takeFromBudgets>[1]
  const take = (payment: Partial<Payment> = {}) =>
    takeFromBudgets(database.db, {
      ...{ kind: 'change', network, account, sentBy: 'shop', budget: 1, cancels: undefined, now },
      ...payment,
    })
  const takes = async (payment: Partial<Payment>, times: number) => {
    const taken = await Promise.all(Array.from({ length: times }, () => take(payment)))
    return taken.filter((one) => one !== undefined).length
  }

  test('default: what an attempt gives back, the next one takes, and no more than that', async () => {
    network++
    const taken = await take()
    expect(await take()).toBeUndefined()
    if (taken) {
      await returnToBudgets(database.db, taken)
      await returnToBudgets(database.db, taken)
    }
    expect(await takes({}, 3)).toBe(1)
    expect(await takes({ kind: 'recovery' }, 3)).toBe(1)
    expect(await takes({ now: new Date('2026-11-27T00:00:00Z') }, 3)).toBe(1)
    expect(await takes({ budget: 0, network: 99 }, 1)).toBe(0)
  })

  test('attack: an account has 8, and what it cannot have takes nothing from its caller', async () => {
    network++
    expect(await takes({ budget: 10 }, 30)).toBe(8)
    expect(await takes({ budget: 10, account: randomAddress() }, 30)).toBe(2)
  })

  test('attack: addresses of one network, with any number of accounts, use a quarter of what visitors have left', async () => {
    network++
    const from = (address: string) => ({
      ...{ budget: 12, account: randomAddress() },
      sentBy: budgetSenderOf({ apiKey: publishable as Key, address }, account),
    })
    const takesFrom = async (group: number) => {
      let count = 0
      for (let index = 0; index < 20; index++) count += await takes(from(`192.0.${group}.${index}`), 1)
      return count
    }
    expect([await takesFrom(1), await takesFrom(2), await takesFrom(3), await takesFrom(4)]).toEqual([
      3, 2, 2, 1,
    ])
    // However many others came before, the next ones find something, until all is used.
    expect(await takes(from('192.0.5.1'), 1)).toBe(1)
  })

  test('attack: accounts that changed owners elsewhere use a quarter each of what is left for them', async () => {
    network++
    const takesElsewhere = (other: string) =>
      takes({ budget: 12, account: randomAddress(), sentBy: sharedSender('elsewhere', other) }, 20)
    expect([await takesElsewhere('a'), await takesElsewhere('b'), await takesElsewhere('c')]).toEqual([
      3, 2, 2,
    ])
  })

  test('behavior: the end of a recovery that runs needs no budget, once', async () => {
    network++
    expect(await takes({}, 2)).toBe(1)
    expect(await takes({ cancels: '1:1' }, 3)).toBe(1)
    expect(await takes({ cancels: '1:2' }, 3)).toBe(1)
    const other = randomAddress()
    expect(await takes({ cancels: '1:1', account: other }, 3)).toBe(1)
    const taken = await take({ cancels: '2:1' })
    if (taken) await returnToBudgets(database.db, taken)
    expect(await takes({ cancels: '2:1' }, 3)).toBe(1)
  })

  test('attack: recoveries that one account starts again and again use a bounded part of it', async () => {
    network++
    let count = 0
    for (let index = 0; index < 20; index++) count += await takes({ budget: 10, cancels: `1:${index}` }, 1)
    // As many as a day has for its changes, twice.
    expect(count).toBe(16)
    expect(await takes({ cancels: '1:1', account: randomAddress() }, 1)).toBe(1)
  })
})
