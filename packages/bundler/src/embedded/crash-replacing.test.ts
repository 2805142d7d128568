/** @module-tag all */
// @promise 1
import { setTimeout } from 'node:timers/promises'
import { describeOneEngine } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { type Hex, type LocalAccount, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, type OperationOptions, startFixture } from '../../test/fixture.ts'
import { type CheckpointName, checkpoints, createBundler } from '../index.ts'

reportPassed(1, 'deaths of the relayer survived: replacements with other operations')

/**
 * A stuck transaction carries two operations. Its replacement carries the one that can pay more, and one of a third
 * account. The process dies in between, and either of the two transactions is mined: each operation is included
 * once.
 */
describeOneEngine('a process that crashes while it replaces a transaction by other operations', (engine) => {
  let fixture: Fixture
  let clock = 0
  beforeAll(async () => {
    // The relayer pays nothing for replacements.
    fixture = await startFixture(engine, {}, { minPriorityFeePerGas: '1', relayerLossPerHour: '1' })
    await fixture.stopMining()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const low = parseGwei('10')
  const high = parseGwei('20')

  /** Mines one block with this base fee, and lets the shared fees become outdated. */
  async function mine(baseFeePerGas: bigint): Promise<void> {
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
    await fixture.chain.mine({ blocks: 1 })
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
    await setTimeout(30)
    await fixture.noticeInclusion()
  }

  const pooled = async () =>
    Object.values((await fixture.chain.getTxpoolContent()).pending).flatMap((ofSender) =>
      Object.values(ofSender),
    )

  function nextProcess(
    relayer: LocalAccount,
    checkpoint: (name: CheckpointName) => void | Promise<void> = () => {},
  ) {
    clock += 31_000 // leases of the dead have expired
    const offset = clock
    return createBundler(fixture.network, {
      database: fixture.database.db,
      relayers: [relayer],
      checkpoint,
      now: () => new Date(Date.now() + offset),
    })
  }

  /** Drives up to the checkpoint and never continues. */
  async function dieAt(relayer: LocalAccount, name: CheckpointName): Promise<void> {
    const reached = Promise.withResolvers<void>()
    const bundler = nextProcess(relayer, (at) => {
      if (at !== name) return
      reached.resolve()
      return new Promise<void>(() => {})
    })
    bundler.drive().then(() => reached.reject(new Error(`${name} was not reached`)), reached.reject)
    await reached.promise
  }

  // Nothing is resent here, and a replacement is planned without the steps of a new bundle.
  const steps = checkpoints.filter((name) => !/resent|batch/.test(name))
  const isSent = (step: CheckpointName) => /:(sent|lease-released)$/.test(step)

  test.each(
    steps.flatMap((step) => (['replaced', 'replacement'] as const).map((mined) => [step, mined] as const)),
  )(
    'behavior: after a crash at %s, the %s transaction is mined, and each operation is included once',
    async (step, mined) => {
      const relayer = privateKeyToAccount(randomPrivateKey())
      await fixture.chain.setBalance({ address: relayer.address, value: parseEther('100') })
      await mine(low)
      const healthy = nextProcess(relayer)
      const submit = async (options: OperationOptions): Promise<Hex> =>
        fixture.submit(healthy, await fixture.build(healthy, await fixture.account(), [nothing], options))
      const dear = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('2') }
      const poor = await submit({ maxFeePerGas: parseGwei('16'), maxPriorityFeePerGas: parseGwei('2') })
      const carriedTwice = await submit(dear)
      await healthy.drive()
      const rows = async () =>
        (await fixture.transactions()).filter((row) => row.relayer === relayer.address.toLowerCase())
      const [old, ...more] = await rows()
      expect(more).toEqual([])
      await mine(high)
      const others = await submit(dear)
      await dieAt(relayer, step)

      const replacing = (await rows()).filter(({ txn_hash }) => txn_hash !== old?.txn_hash)
      if (isSent(step)) expect(replacing).toMatchObject([{ nonce: old?.nonce, state: 'live' }])
      if (mined === 'replaced') {
        // A node that has not seen the replacement mines once the base fee has fallen.
        for (const { hash } of await pooled()) await fixture.chain.dropTransaction({ hash })
        await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: low })
        await fixture.chain.sendRawTransaction({ serializedTransaction: old?.raw as Hex })
        await mine(low)
      } else if (isSent(step)) await mine(high)

      for (const baseFee of [high, high, low, low, low]) {
        await nextProcess(relayer).drive()
        await mine(baseFee)
      }
      await nextProcess(relayer).drive()
      for (const hash of [poor, carriedTwice, others]) {
        expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
        expect(await fixture.row(hash)).toMatchObject({ state: 'included' })
      }
      const states = (await rows()).map(({ state }) => state)
      expect(states).not.toContain('live')
      const expected = mined === 'replaced' ? old?.txn_hash : (await fixture.row(others)).txn_hash
      expect((await fixture.row(carriedTwice)).txn_hash).toBe(expected)
      // Nobody pays for a transaction that reverts, and none is empty.
      const head = await fixture.chain.getBlockNumber()
      for (let blockNumber = 0n; blockNumber <= head; blockNumber++) {
        for (const { from, input, hash } of (
          await fixture.chain.getBlock({ blockNumber, includeTransactions: true })
        ).transactions) {
          if (from.toLowerCase() !== relayer.address.toLowerCase()) continue
          expect(input).not.toBe('0x')
          expect(await fixture.chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
        }
      }
    },
  )
})
