/** @module-tag all */
/** @module-tag longer */
// @promise 3

import { usualEngine } from '@lanyard/database/testing'
import { devAccounts } from '@lanyard/devnet'
import { isLong } from '@lanyard/testing'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { payee } from '../orders/order-service.ts'
import { attestors, type Fixture, startFixture } from './settlement-fixture.ts'

/** Number of blocks that make a claim final, the same as `finalize` mines. No reorg is deeper. */
const confirmations = 4
const allDepths = Array.from({ length: confirmations }, (_, index) => index + 1)
const depths = isLong ? allDepths : [confirmations]

/** Blocks come only with transactions and on request, so a reorg removes exactly the intended blocks. */
let fixture: Fixture
beforeAll(async () => {
  const options = { blockTime: 3_600, settings: { finality: { confirmations } } }
  fixture = await startFixture(usualEngine(), options)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const reorg = (chainId: number, depth: number) =>
  fixture.on(chainId).chain.request({ method: 'anvil_reorg', params: [depth, []] } as never) // viem has no type

test.each(depths)(
  'behavior: a reorg of depth %i removes the claim; the order is claimed again and settles once',
  async (depth) => {
    const { network } = fixture.balanceOn(31339)
    const wallet = await fixture.createFunded([31337, 31338])
    const orderId = await fixture.spend(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    await fixture.on(31339).chain.mine({ blocks: depth - 1 })
    await fixture.track(31339)
    const first = (await fixture.readOrder(orderId)).order
    expect(first.state).toBe('CLAIMED')
    await fixture.attest(31339, attestors) // the claim is not final, so nothing is attested

    await reorg(31339, depth)
    await fixture.track(31339)
    expect((await fixture.readOrder(orderId)).order).toMatchObject({ state: 'SUBMITTED', txn_hash: null })

    fixture.advance(20_000) // time of the next attempt
    await expect
      .poll(async () => {
        await reconcile(fixture.services.operations, network)
        await fixture.track(31339)
        return (await fixture.readOrder(orderId)).order.state
      })
      .toBe('CLAIMED')
    const again = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(again.order.order_hash).toBe(first.order_hash)
    expect(again.order.block_hash).not.toBe(first.block_hash)
    for (const { network: source } of again.debits) {
      expect(await fixture.settlements(source, first.order_hash)).toHaveLength(1)
    }
  },
)

test('behavior: if a reorg turns the claim into a failure, only the failFee is owed, once', async () => {
  const on = fixture.on(31339)
  const friend = devAccounts[6]?.address ?? payee
  const token = on.settlementToken.address
  const approve = (amount: bigint) =>
    fixture.callAs(
      31339,
      friend,
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [wallet.address, amount] }),
    )
  const sources = [31337, 31338]
  const wallet = await fixture.createFunded(sources)
  await fixture.mint(31339, friend, 1n)
  await approve(on.scale)
  const before = await fixture.holdings(wallet.address, sources)

  const orderId = await fixture.spend(wallet, {
    amount: 150_000_000n,
    outputNetwork: 31339,
    calls: [
      fixture.transfer(31339, payee, 150_000_000n),
      {
        targetContractAddress: token,
        value: '0',
        encodedData: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transferFrom',
          args: [friend, payee, on.scale],
        }),
      },
    ],
  })
  await fixture.track(31339)
  const claimed = (await fixture.readOrder(orderId)).order
  expect(claimed).toMatchObject({ state: 'CLAIMED', outcome: 'claimed' })

  // On the new chain the approval is withdrawn before the operation.
  await reorg(31339, 1)
  await approve(0n)
  fixture.advance(20_000)
  await expect
    .poll(async () => {
      await reconcile(fixture.services.operations, fixture.balanceOn(31339).network)
      await fixture.track(31339)
      return (await fixture.readOrder(orderId)).order.state
    })
    .toBe('FAILED')
  const { order, debits } = await fixture.passUntil(orderId, { state: 'SETTLED', outcome: 'failed' })
  expect(order.order_hash).toBe(claimed.order_hash)
  const after = await fixture.holdings(wallet.address, sources)
  for (const [index, { network, fail_fee }] of debits.entries()) {
    expect(sources[index]).toBe(network)
    expect((before[index]?.deposit ?? 0n) - (after[index]?.deposit ?? 0n)).toBe(fail_fee)
    // A source without a fail fee has no settlement: small fees are charged to one source only.
    expect(await fixture.settlements(network, order.order_hash)).toHaveLength(fail_fee > 0n ? 1 : 0)
  }
  expect(debits).toHaveLength(2)
  expect(debits.reduce((sum, { fail_fee }) => sum + fail_fee, 0n)).toBeGreaterThan(0n)
})

test.each(depths)(
  'behavior: a reorg of depth %i removes the settlement; the same transaction settles again, once',
  async (depth) => {
    const wallet = await fixture.createFunded([31337, 31338])
    const orderId = await fixture.spendUntilDue(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    const settler = fixture.settlerOn(31337)
    await settler.settle()
    const { order } = await fixture.readOrder(orderId)
    const [before] = await fixture.settlements(31337, order.order_hash)
    expect(before).toBeDefined()
    await fixture.on(31337).chain.mine({ blocks: depth - 1 })
    await settler.settle() // the settlement is not final yet

    await reorg(31337, depth)
    expect(await fixture.settlements(31337, order.order_hash)).toEqual([])
    await expect
      .poll(async () => {
        await settler.settle()
        return (await fixture.settlements(31337, order.order_hash)).length
      })
      .toBe(1)
    const [after] = await fixture.settlements(31337, order.order_hash)
    expect(after?.transactionHash).toBe(before?.transactionHash)
    await fixture.passUntil(orderId, { state: 'SETTLED' })
  },
)
