/** @module-tag all */
// @promise 1
import { describeOneEngine } from '@lanyard/database/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { type Bundler, type CheckpointName, checkpoints } from '../index.ts'

reportPassed(1, 'deaths of the relayer survived')

/**
 * A crashed process: its drive stops at the checkpoint forever, and no later code runs, not even `finally`.
 * The next process starts once its lease has expired.
 */
describeOneEngine('a process that crashes', (engine) => {
  let fixture: Fixture
  let clock = 0
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const nextProcess = (checkpoint: (name: CheckpointName) => void | Promise<void> = () => {}): Bundler => {
    clock += 31_000
    const offset = clock
    return fixture.bundler({ checkpoint, now: () => new Date(Date.now() + offset) })
  }

  /** Drives up to the checkpoint and never continues. */
  async function dieAt(name: CheckpointName): Promise<void> {
    const reached = Promise.withResolvers<void>()
    const bundler = nextProcess((at) => {
      if (at !== name) return
      reached.resolve()
      return new Promise<void>(() => {})
    })
    bundler.drive().catch(reached.reject)
    await reached.promise
  }

  /**
   * The first process crashes between writing the row and sending, so that the second has something to resend.
   */
  const livesBefore: Partial<Record<CheckpointName, CheckpointName>> = {
    'relayer:resent': 'relayer:row-written',
  }

  test.each(checkpoints)('behavior: after a crash at %s, every operation is included once', async (name) => {
    const healthy = nextProcess()
    const accounts = [await fixture.account(), await fixture.account()]
    const hashes: `0x${string}`[] = []
    for (const account of accounts) {
      hashes.push(await fixture.submit(healthy, await fixture.build(healthy, account, [nothing])))
    }
    const before = livesBefore[name]
    if (before) await dieAt(before)
    await dieAt(name)

    const resumed = nextProcess()
    await resumed.drive()
    await fixture.noticeInclusion()
    await resumed.drive()
    for (const hash of hashes) expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])

    const rows = await fixture.transactions()
    expect(rows.filter(({ state }) => state === 'live')).toEqual([])
    const nonces = rows.filter(({ state }) => state === 'mined').map(({ nonce }) => nonce)
    const chainNonce = await fixture.chain.getTransactionCount({ address: fixture.relayer.address })
    expect(nonces).toEqual(Array.from({ length: chainNonce }, (_, nonce) => nonce))
  })
})
