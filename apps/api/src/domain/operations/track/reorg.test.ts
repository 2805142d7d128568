// @promise 3
import { describeEachEngine } from '@lanyard/database/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import type { Hash } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, recipient, startOperations } from '../../../../test/operation-fixture.ts'
import { reconcile } from './reconcile.ts'

/**
 * Number of later blocks that make an inclusion final. A reorg of this depth cannot remove it, but a reorg with one
 * block fewer can.
 */
const confirmations = 12
const allDepths = Array.from({ length: confirmations }, (_, index) => index + 1)

reportPassed(3, 'reorgs after inclusion, of depths 1 to 12', (title) => title.includes('a reorg of depth'))

describeEachEngine('reorgs', (engine) => {
  /** Blocks come only with transactions and on request, so a reorg removes exactly the intended blocks. */
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine, { blockTime: 3_600, finality: { confirmations } })
  })
  afterAll(() => at?.[Symbol.asyncDispose]())

  const pass = () => reconcile(at.operations, at.network)
  const reorg = (depth: number) => at.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never) // viem does not type it
  const countEvents = async (userOpHash: Hash) =>
    (
      await at.chain.getContractEvents({
        address: at.network.config.entryPoint,
        abi: entryPoint07Abi,
        eventName: 'UserOperationEvent',
        args: { userOpHash },
        fromBlock: 0n,
      })
    ).length

  /**
   * `npm test` runs the shortest and the longest reorg on PGlite only, because the database does not affect the depth.
   */
  const isShort = (depth: number) => engine === 'pglite' && (depth === 1 || depth === confirmations)
  for (const depth of allDepths) {
    const tags = isShort(depth) ? [] : ['all']
    test(
      `behavior: a reorg of depth ${depth} reopens the operation, which is included again once and becomes final`,
      { tags },
      () => survive(depth),
    )
  }

  async function survive(depth: number) {
    const { wallet, owner } = await at.createWallet()
    const earlier = await at.send(wallet, owner)
    const received = await at.chain.getBalance({ address: recipient })
    const { userOpHash } = await at.send(wallet, owner)
    await at.chain.mine({ blocks: depth - 1 })
    await pass()
    const before = await at.readRow(userOpHash)
    expect(before).toMatchObject({ state: 'included', final: false })

    await reorg(depth)
    expect(await countEvents(userOpHash)).toBe(0)
    await pass()
    expect(await at.readRow(userOpHash)).toMatchObject({
      state: 'submitted',
      final: false,
      txn_hash: null,
      block_hash: null,
      reason_code: 'REORGED',
    })
    const isIncluded = async () => {
      await pass()
      return at.readRow(userOpHash)
    }
    await expect.poll(isIncluded).toMatchObject({ state: 'included', success: true })
    await at.chain.mine({ blocks: confirmations })
    await pass()
    const after = await at.readRow(userOpHash)
    expect(after).toMatchObject({
      final: true,
      signature: before.signature,
      user_op: before.user_op,
      nonce_sequence: before.nonce_sequence,
    })
    expect(after.block_hash).not.toBe(before.block_hash)
    expect(await countEvents(userOpHash)).toBe(1)
    expect((await at.chain.getBalance({ address: recipient })) - received).toBe(1n)
    // Blocks below the reorg are unchanged.
    expect(await at.readRow(earlier.userOpHash)).toMatchObject({ txn_hash: earlier.txnHash, final: true })
  }

  test('behavior: a reorg deeper than the configured finality is not detected', async () => {
    const { wallet, owner } = await at.createWallet()
    const { userOpHash } = await at.send(wallet, owner)
    await at.chain.mine({ blocks: confirmations })
    await pass()
    const before = await at.readRow(userOpHash)
    expect(before).toMatchObject({ state: 'included', final: true })

    await reorg(confirmations + 1)
    expect(await countEvents(userOpHash)).toBe(0)
    await pass()
    expect(await at.readRow(userOpHash)).toEqual(before)
  })
})
