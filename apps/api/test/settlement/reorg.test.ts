/** @module-tag all */
/** @module-tag longer */

import { devAccounts } from '@lanyard/devnet'
import { isLong } from '@lanyard/testing'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { payee } from '../orders/order-service.ts'
import { attestors, type Scene, startScene } from './scene.ts'

/** Blocks after its own that make a claim final here, as many as `finalize` mines: no reorg is deeper. */
const confirmations = 4
const allDepths = Array.from({ length: confirmations }, (_, index) => index + 1)
const depths = isLong ? allDepths : [1, confirmations]

/** Blocks come with transactions and when a test asks for them, so that a reorg takes exactly those that it means. */
let scene: Scene
beforeAll(async () => {
  const options = { blockTime: 3_600, settings: { finality: { confirmations } } }
  scene = await startScene('pglite', options)
})
afterAll(() => scene?.[Symbol.asyncDispose]())

const reorg = (chainId: number, depth: number) =>
  scene.on(chainId).chain.request({ method: 'anvil_reorg', params: [depth, []] } as never) // viem does not type it

test.each(depths)(
  'behavior: a reorg of depth %i takes the claim; the order goes back, lands again and is settled once',
  async (depth) => {
    const { network } = scene.balanceOn(31339)
    const wallet = await scene.createFunded([31337, 31338])
    const orderId = await scene.spend(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    await scene.on(31339).chain.mine({ blocks: depth - 1 })
    await scene.track(31339)
    const first = (await scene.readOrder(orderId)).order
    expect(first.state).toBe('CLAIMED')
    await scene.attest(31339, attestors) // not final: nothing to attest

    await reorg(31339, depth)
    await scene.track(31339)
    expect((await scene.readOrder(orderId)).order).toMatchObject({ state: 'SUBMITTED', txn_hash: null })

    scene.advance(20_000) // until the next attempt
    await expect
      .poll(async () => {
        await reconcile(scene.services.operations, network)
        await scene.track(31339)
        return (await scene.readOrder(orderId)).order.state
      })
      .toBe('CLAIMED')
    const again = await scene.passUntil(orderId, { state: 'SETTLED' })
    expect(again.order.order_hash).toBe(first.order_hash)
    expect(again.order.block_hash).not.toBe(first.block_hash)
    for (const { network: source } of again.debits) {
      expect(await scene.settlements(source, first.order_hash)).toHaveLength(1)
    }
  },
)

test('behavior: a reorg turns the claim into a failure: the failFee is owed, once, and no debit', async () => {
  const on = scene.on(31339)
  const friend = devAccounts[6]?.address ?? payee
  const token = on.settlementToken.address
  const approve = (amount: bigint) =>
    scene.callAs(
      31339,
      friend,
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [wallet.address, amount] }),
    )
  const sources = [31337, 31338]
  const wallet = await scene.createFunded(sources)
  await scene.mint(31339, friend, 1n)
  await approve(on.scale)
  const before = await scene.holdings(wallet.address, sources)

  const orderId = await scene.spend(wallet, {
    amount: 150_000_000n,
    outputNetwork: 31339,
    calls: [
      scene.transfer(31339, payee, 150_000_000n),
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
  await scene.track(31339)
  const claimed = (await scene.readOrder(orderId)).order
  expect(claimed).toMatchObject({ state: 'CLAIMED', outcome: 'claimed' })

  // On the chain that takes the other's place, the friend thought otherwise before the operation came.
  await reorg(31339, 1)
  await approve(0n)
  scene.advance(20_000)
  await expect
    .poll(async () => {
      await reconcile(scene.services.operations, scene.balanceOn(31339).network)
      await scene.track(31339)
      return (await scene.readOrder(orderId)).order.state
    })
    .toBe('FAILED')
  const { order, debits } = await scene.passUntil(orderId, { state: 'SETTLED', outcome: 'failed' })
  expect(order.order_hash).toBe(claimed.order_hash)
  const after = await scene.holdings(wallet.address, sources)
  for (const [index, { network, fail_fee }] of debits.entries()) {
    expect(sources[index]).toBe(network)
    expect((before[index]?.deposit ?? 0n) - (after[index]?.deposit ?? 0n)).toBe(fail_fee)
    // Nothing is settled where nothing is due: small fees are put on one source.
    expect(await scene.settlements(network, order.order_hash)).toHaveLength(fail_fee > 0n ? 1 : 0)
  }
  expect(debits).toHaveLength(2)
  expect(debits.reduce((sum, { fail_fee }) => sum + fail_fee, 0n)).toBeGreaterThan(0n)
})

test.each(depths)(
  'behavior: a reorg of depth %i takes the settlement: the same bytes again, settled once',
  async (depth) => {
    const wallet = await scene.createFunded([31337, 31338])
    const orderId = await scene.spendUntilDue(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
    const settler = scene.settlerOn(31337)
    await settler.settle()
    const { order } = await scene.readOrder(orderId)
    const [before] = await scene.settlements(31337, order.order_hash)
    expect(before).toBeDefined()
    await scene.on(31337).chain.mine({ blocks: depth - 1 })
    await settler.settle() // not final: nothing to finish

    await reorg(31337, depth)
    expect(await scene.settlements(31337, order.order_hash)).toEqual([])
    await expect
      .poll(async () => {
        await settler.settle()
        return (await scene.settlements(31337, order.order_hash)).length
      })
      .toBe(1)
    const [after] = await scene.settlements(31337, order.order_hash)
    expect(after?.transactionHash).toBe(before?.transactionHash)
    await scene.passUntil(orderId, { state: 'SETTLED' })
  },
)
