import { fromWireUserOperation, packUserOperation } from '@lanyard/accounts'
import { describeEachEngine } from '@lanyard/database/testing'
import { canonicalAddresses, devAccounts } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payee } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'
import { type Scene, startScene } from './scene.ts'

const all = [31337, 31338, 31339] as const
const stranger = privateKeyToAccount(devAccounts[4]?.privateKey ?? randomPrivateKey())

describeEachEngine('settlement', { repeatOn: 'postgresql' }, (engine) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene(engine)
  })
  afterAll(() => scene?.[Symbol.asyncDispose]())

  test('default: claimed, final, attested, settled on both sources, to the unit', async () => {
    const wallet = await scene.createFunded(all)
    const before = await scene.holdings(wallet.address, all)
    const orderId = await scene.spend(wallet, { amount: 250_000_000n, outputNetwork: 31339 })
    expect((await scene.readOrder(orderId)).order.state).toBe('SUBMITTED')
    await scene.track(31339)
    expect((await scene.readOrder(orderId)).order).toMatchObject({ state: 'CLAIMED', outcome: 'claimed' })

    const { order, debits } = await scene.passUntil(orderId, { state: 'SETTLED' })
    expect(order.closed_at).not.toBeNull()
    expect(debits.map(({ network, state }) => [network, state])).toEqual([
      [31337, 'SETTLED'],
      [31338, 'SETTLED'],
    ])
    const [first, second] = debits.map(({ amount }) => amount) as [bigint, bigint] // two, as above
    expect(first + second).toBe(order.claim_amount + order.fee - order.withdrawal_fee)
    const after = await scene.holdings(wallet.address, all)
    expect(after.map(({ deposit }, index) => deposit - (before[index]?.deposit ?? 0n))).toEqual([
      -first,
      -second,
      -order.withdrawal_amount - order.withdrawal_fee,
    ])
    expect(after.map(({ liquidity }, index) => liquidity - (before[index]?.liquidity ?? 0n))).toEqual([
      first,
      second,
      order.withdrawal_fee - order.claim_amount,
    ])
    for (const { network, amount, txn_hash } of debits) {
      expect(await scene.settlements(network, order.order_hash)).toMatchObject([
        { args: { amount, remaining: 0n }, transactionHash: txn_hash },
      ])
    }
  })

  test('behavior: a failed operation owes its failFee, no more', async () => {
    const wallet = await scene.createFunded(all)
    const before = await scene.holdings(wallet.address, all)
    const orderId = await scene.spend(wallet, {
      amount: 150_000_000n,
      outputNetwork: 31338,
      calls: [scene.transfer(31338, payee, 151_000_000n)],
      allowRevert: true,
    })
    const { debits } = await scene.passUntil(orderId, { state: 'SETTLED', outcome: 'failed' })
    const after = await scene.holdings(wallet.address, all)
    for (const { network, fail_fee } of debits) {
      const index = all.indexOf(network as (typeof all)[number])
      expect((before[index]?.deposit ?? 0n) - (after[index]?.deposit ?? 0n)).toBe(fail_fee)
      expect((after[index]?.liquidity ?? 0n) - (before[index]?.liquidity ?? 0n)).toBe(fail_fee)
    }
    expect(debits.reduce((sum, { fail_fee }) => sum + fail_fee, 0n)).toBeGreaterThan(0n)
    expect(after[1]).toEqual(before[1]) // what was withdrawn and claimed there was undone
  })

  test('behavior: from the own deposit alone nothing is owed, and it ends when its block is final', async () => {
    const wallet = await scene.createFunded([31337])
    const orderId = await scene.spend(wallet, { amount: 10_000_000n, outputNetwork: 31337 })
    await scene.track(31337)
    const { order, debits } = await scene.readOrder(orderId)
    expect(debits).toEqual([])
    expect(order.state).toMatch(/CLAIMED|SETTLED/)
    await scene.passUntil(orderId, { state: 'SETTLED' })
    expect(
      await scene.db
        .selectFrom('attestations')
        .selectAll()
        .where('order_hash', '=', order.order_hash ?? '')
        .execute(),
    ).toEqual([])
  })

  describe('expiry', () => {
    test('behavior: a nonce that something else used ends the order, once that is final', async () => {
      const wallet = await scene.createFunded(all)
      const { orderId } = await scene.build(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
      const { order } = await scene.readOrder(orderId)
      await scene.callAs(
        31339,
        wallet.address,
        canonicalAddresses.entryPoint,
        encodeFunctionData({
          abi: parseAbi(['function incrementNonce(uint192 key)']),
          functionName: 'incrementNonce',
          args: [order.nonce_key],
        }),
      )
      const { debits } = await scene.passUntil(orderId, { state: 'EXPIRED' })
      expect(debits.every(({ state }) => state === 'RELEASED')).toBe(true)
    })

    test('behavior: nothing was signed for it: it runs out by the clock', async () => {
      const wallet = await scene.createFunded(all)
      const { body } = await scene.solve({
        walletAddress: wallet.address,
        outputNetwork: 31338,
        amount: '150000000',
      })
      await scene.track(31338)
      expect((await scene.readOrder(body.orderId)).order.state).toBe('RESERVED')
      await scene.db
        .updateTable('orders')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('order_id', '=', body.orderId)
        .execute()
      await scene.track(31338)
      expect((await scene.readOrder(body.orderId)).order.state).toBe('EXPIRED')
    })
  })

  describe('an operation that its owner took elsewhere', () => {
    const multicall3 = parseAbi([
      'function aggregate((address target, bytes callData)[] calls) payable returns (uint256, bytes[])',
    ])

    test.each(['direct', 'through a contract'])('behavior: %s: it is settled all the same', async (way) => {
      const wallet = await scene.createFunded(all)
      const { orderId, userOp, signature, body } = await scene.build(wallet, {
        amount: 150_000_000n,
        outputNetwork: 31337,
      })
      const read = fromWireUserOperation(userOp)
      if (!read.ok) throw new Error(read.message)
      const operation = {
        ...read.operation,
        signature: `0x${BigInt(body.validAfter ?? 0)
          .toString(16)
          .padStart(
            12,
            '0',
          )}${BigInt(body.validUntil).toString(16).padStart(12, '0')}${signature.slice(2)}` as Hex,
      }
      const data = encodeFunctionData({
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation(operation)], stranger.address],
      })
      const { chain } = scene.on(31337)
      const { entryPoint, multicall3: aggregator } = canonicalAddresses
      const hash = await chain.sendTransaction({
        account: stranger,
        chain: null,
        ...(way === 'direct'
          ? { to: entryPoint, data }
          : {
              to: aggregator,
              data: encodeFunctionData({
                abi: multicall3,
                functionName: 'aggregate',
                args: [[{ target: entryPoint, callData: data }]],
              }),
            }),
      })
      await receiptOf(chain, hash)
      const { order } = await scene.passUntil(orderId, { state: 'SETTLED' })
      expect(order).toMatchObject({ outcome: 'claimed', txn_hash: hash })
    })
  })
})
