// @promise 5
import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'

describeEachEngine('the lease of a relayer', (engine) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const submitted = async () => {
    const bundler = fixture.bundler()
    const account = await fixture.account()
    return await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
  }

  test('behavior: the process that holds the lease sends the operations of all processes', async () => {
    const first = await submitted()
    const holding = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const holder = fixture.bundler({
      checkpoint: async (name) => {
        if (name !== 'relayer:sent') return
        holding.resolve()
        await mayGoOn.promise
      },
    })
    const driving = holder.drive()
    await holding.promise

    const second = await submitted()
    await fixture.bundler().drive() // returns although it could do nothing
    expect(await fixture.events(second)).toHaveLength(0)
    mayGoOn.resolve()
    await driving
    await expect.poll(() => fixture.events(first)).toHaveLength(1)
    await expect.poll(() => fixture.events(second)).toHaveLength(1)
  })

  test('behavior: a former holder can no longer write', async () => {
    const hash = await submitted()
    const stopped = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const slow = fixture.bundler({
      checkpoint: async (name) => {
        if (name !== 'relayer:signed') return
        stopped.resolve()
        await mayGoOn.promise
      },
    })
    const driving = slow.drive()
    await stopped.promise
    await fixture.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    const rows = await fixture.transactions()
    mayGoOn.resolve()
    await driving
    expect(await fixture.transactions()).toEqual(rows)
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: a former holder can no longer write the outcome of its transactions', async () => {
    const hash = await submitted()
    await fixture.bundler().drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    const stopped = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const slow = fixture.bundler({
      checkpoint: async (name) => {
        if (name !== 'relayer:receipts-read') return
        stopped.resolve()
        await mayGoOn.promise
      },
    })
    const driving = slow.drive()
    await stopped.promise
    await fixture.bundler({ now: () => new Date(Date.now() + 60_000) }).drive()
    // The previous holder's stale data would overwrite this.
    const changed = { block_hash: `0x${'ab'.repeat(32)}` }
    await fixture.database.db.updateTable('relayer_transactions').set(changed).execute()
    mayGoOn.resolve()
    await driving
    for (const row of await fixture.transactions()) expect(row).toMatchObject(changed)
  })
})
