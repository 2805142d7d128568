import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'

describeEachEngine('the nonces between two passes', (engine) => {
  let fixture: Fixture
  let now = new Date()
  let settled = 0
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(() => {
    settled = 0
  })

  const newProcess = () =>
    fixture.bundler({
      now: () => now,
      checkpoint: (name) => {
        if (name === 'relayer:settled') settled++
      },
    })
  type Process = ReturnType<typeof newProcess>

  const include = async (bundler: Process) => {
    const account = await fixture.account()
    const hash = await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive()
    expect(await fixture.events(hash)).toHaveLength(1)
  }

  test('behavior: a pass soon after another sends without reading the chain', async () => {
    const bundler = newProcess()
    await include(bundler)
    await include(bundler)
    await include(bundler)
    expect(settled).toBe(1)
  })

  test('behavior: the transactions are settled before the maximum waits for its outcome', async () => {
    const bundler = newProcess()
    for (let count = 0; count < 6; count++) await include(bundler)
    expect(settled).toBe(2)
  })

  test('behavior: a pass after another process has sent reads the chain', async () => {
    const [first, second] = [newProcess(), newProcess()]
    await include(first)
    await include(second)
    await include(first)
    expect(settled).toBe(3)
  })

  test('behavior: a pass after a second reads the chain', async () => {
    const bundler = newProcess()
    await include(bundler)
    now = new Date(now.getTime() + 1_000)
    await include(bundler)
    expect(settled).toBe(2)
  })

  test('behavior: a pass without an operation to send reads the chain', async () => {
    const bundler = newProcess()
    await include(bundler)
    await bundler.drive() // the row of the transaction is still live
    expect(settled).toBe(2)
  })

  test('behavior: a transaction that follows a removed one is mined after it', async () => {
    const bundler = newProcess()
    await include(bundler)
    await fixture.chain.request({ method: 'anvil_rollback', params: [1] } as never) // not among viem's methods
    const account = await fixture.account()
    const hash = await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive().catch(() => {})
    now = new Date(now.getTime() + 60_000)
    await expect
      .poll(async () => {
        await bundler.drive()
        return fixture.events(hash)
      })
      .toHaveLength(1)
  })
})
