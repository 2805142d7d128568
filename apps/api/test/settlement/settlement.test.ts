// @promise 23 A.1
import { encodeSignature, fromWireUserOperation, packUserOperation } from '@lanyard/accounts'
import { describeEachEngine } from '@lanyard/database/testing'
import { canonicalAddresses, devAccounts, type RunningNetwork } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { entryPoint07Abi, type PackedUserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, payee, sign } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'
import { type Fixture, type FixtureWallet, startFixture } from './settlement-fixture.ts'

const all = [31337, 31338, 31339] as const
const thirdParty = privateKeyToAccount(devAccounts[4]?.privateKey ?? randomPrivateKey())

/** A node without trace methods, like most providers' nodes. */
async function startPlainNode({ rpcUrl }: RunningNetwork) {
  const proxy = await startRpcProxy(rpcUrl)
  proxy.set({
    methods: ['debug_traceTransaction'],
    fault: { kind: 'error', code: -32_601, message: 'the method debug_traceTransaction does not exist' },
  })
  return proxy
}

describeEachEngine('settlement', (engine) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine, { startProxy: startPlainNode })
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())

  test('default: an order is claimed, final, attested and settled on both sources with exact amounts', async () => {
    const wallet = await fixture.createFunded(all)
    const before = await fixture.holdings(wallet.address, all)
    const orderId = await fixture.spend(wallet, { amount: 250_000_000n, outputNetwork: 31339 })
    expect((await fixture.readOrder(orderId)).order.state).toBe('SUBMITTED')
    await fixture.track(31339)
    expect((await fixture.readOrder(orderId)).order).toMatchObject({ state: 'CLAIMED', outcome: 'claimed' })

    const { order, debits } = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(order.closed_at).not.toBeNull()
    expect(debits.map(({ network, state }) => [network, state])).toEqual([
      [31337, 'SETTLED'],
      [31338, 'SETTLED'],
    ])
    const [first, second] = debits.map(({ amount }) => amount) as [bigint, bigint] // two attestors, as above
    expect(first + second).toBe(order.claim_amount + order.fee - order.withdrawal_fee)
    const after = await fixture.holdings(wallet.address, all)
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
      expect(await fixture.settlements(network, order.order_hash)).toMatchObject([
        { args: { amount, remaining: 0n }, transactionHash: txn_hash },
      ])
    }
  })

  test('behavior: a failed operation owes only its failFee', async () => {
    const wallet = await fixture.createFunded(all)
    const before = await fixture.holdings(wallet.address, all)
    const orderId = await fixture.spend(wallet, {
      amount: 150_000_000n,
      outputNetwork: 31338,
      calls: [fixture.transfer(31338, payee, 151_000_000n)],
      allowRevert: true,
    })
    const { debits } = await fixture.passUntil(orderId, { state: 'SETTLED', outcome: 'failed' })
    const after = await fixture.holdings(wallet.address, all)
    for (const { network, fail_fee } of debits) {
      const index = all.indexOf(network as (typeof all)[number])
      expect((before[index]?.deposit ?? 0n) - (after[index]?.deposit ?? 0n)).toBe(fail_fee)
      expect((after[index]?.liquidity ?? 0n) - (before[index]?.liquidity ?? 0n)).toBe(fail_fee)
    }
    expect(debits.reduce((sum, { fail_fee }) => sum + fail_fee, 0n)).toBeGreaterThan(0n)
    expect(after[1]).toEqual(before[1]) // the failure reverted the withdrawal and the claim
  })

  test("behavior: an order from the account's own deposit owes nothing and ends when its block is final", {
    tags: ['all'],
  }, async () => {
    const wallet = await fixture.createFunded([31337])
    const orderId = await fixture.spend(wallet, { amount: 10_000_000n, outputNetwork: 31337 })
    await fixture.track(31337)
    const { order, debits } = await fixture.readOrder(orderId)
    expect(debits).toEqual([])
    expect(order.state).toMatch(/CLAIMED|SETTLED/)
    await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(
      await fixture.db
        .selectFrom('attestations')
        .selectAll()
        .where('order_hash', '=', order.order_hash ?? '')
        .execute(),
    ).toEqual([])
  })

  describe('expiry', { tags: ['all'] }, () => {
    test('behavior: an order expires when another use of its nonce is final', async () => {
      const wallet = await fixture.createFunded(all)
      const { orderId } = await fixture.build(wallet, { amount: 150_000_000n, outputNetwork: 31339 })
      const { order } = await fixture.readOrder(orderId)
      await fixture.callAs(
        31339,
        wallet.address,
        canonicalAddresses.entryPoint,
        encodeFunctionData({
          abi: parseAbi(['function incrementNonce(uint192 key)']),
          functionName: 'incrementNonce',
          args: [order.nonce_key],
        }),
      )
      const { debits } = await fixture.passUntil(orderId, { state: 'EXPIRED' })
      expect(debits.every(({ state }) => state === 'RELEASED')).toBe(true)
    })

    test('behavior: an order without a signature expires by the clock', async () => {
      const wallet = await fixture.createFunded(all)
      const { body } = await fixture.solve({
        walletAddress: wallet.address,
        outputNetwork: 31338,
        amount: '150000000',
      })
      await fixture.track(31338)
      expect((await fixture.readOrder(body.orderId)).order.state).toBe('RESERVED')
      await fixture.db
        .updateTable('orders')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('order_id', '=', body.orderId)
        .execute()
      await fixture.track(31338)
      expect((await fixture.readOrder(body.orderId)).order.state).toBe('EXPIRED')
    })
  })

  /** Settlement reads everything from the chain's logs, so any sender and any path to the EntryPoint work. */
  describe('an operation that its owner sends without the service', { tags: ['all'] }, () => {
    const multicall3 = parseAbi([
      'function aggregate((address target, bytes callData)[] calls) payable returns (uint256, bytes[])',
    ])
    const { entryPoint, multicall3: forwarder } = canonicalAddresses
    const handleOps = (operation: PackedUserOperation) =>
      encodeFunctionData({
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[operation], thirdParty.address],
      })
    const routes = {
      'by handleOps': (operation) => ({ to: entryPoint, data: handleOps(operation) }),
      'by handleAggregatedOps without an aggregator': (operation) => ({
        to: entryPoint,
        data: encodeFunctionData({
          abi: entryPoint07Abi,
          functionName: 'handleAggregatedOps',
          args: [[{ userOps: [operation], aggregator: zeroAddress, signature: '0x' }], thirdParty.address],
        }),
      }),
      'by a forwarding contract': (operation) => ({
        to: forwarder,
        data: encodeFunctionData({
          abi: multicall3,
          functionName: 'aggregate',
          args: [[{ target: entryPoint, callData: handleOps(operation) }]],
        }),
      }),
    } satisfies Record<string, (operation: PackedUserOperation) => { to: Address; data: Hex }>

    async function sendWithoutService(
      { owner, address: walletAddress }: FixtureWallet,
      amount: bigint,
      encode: (operation: PackedUserOperation) => { to: Address; data: Hex },
    ) {
      const { body: solution } = await fixture.solve({
        walletAddress,
        outputNetwork: 31337,
        amount: amount.toString(),
      })
      const { body } = await fixture.rest.post('/smart-account/transaction/build', {
        network: '31337',
        walletAddress,
        paymasterData: solution.signatures.paymaster,
        transactionDetails: [...callsOf(solution), fixture.transfer(31337, payee, amount)],
      })
      const read = fromWireUserOperation(body.userOp)
      if (!read.ok) throw new Error(read.message)
      const signatures = await sign.raw(owner, body.messageToSign)
      const validity = { validAfter: Number(body.validAfter ?? 0), validUntil: Number(body.validUntil) }
      const signature = encodeSignature({ ...validity, signatures })
      const { chain } = fixture.on(31337)
      const hash = await chain.sendTransaction({
        account: thirdParty,
        chain: null,
        ...encode(packUserOperation({ ...read.operation, signature })),
      })
      await receiptOf(chain, hash)
      return { orderId: solution.orderId as string, hash }
    }

    test("behavior: an order from the account's own deposit settles without a row for its inclusion", async () => {
      const wallet = await fixture.createFunded([31337])
      const { orderId, hash } = await sendWithoutService(wallet, 10_000_000n, routes['by handleOps'])
      await fixture.finalize(31337)
      await fixture.track(31337)
      const { order, debits } = await fixture.readOrder(orderId)
      expect(debits).toEqual([])
      expect(order).toMatchObject({ outcome: 'claimed', txn_hash: hash })
      await fixture.passUntil(orderId, { state: 'SETTLED' })
    })

    test.each(Object.entries(routes))(
      'behavior: debits are collected for an operation sent %s',
      async (_, encode) => {
        const wallet = await fixture.createFunded(all)
        const { orderId, hash } = await sendWithoutService(wallet, 150_000_000n, encode)
        const { order, debits } = await fixture.passUntil(orderId, { state: 'SETTLED' })
        expect(order).toMatchObject({ outcome: 'claimed', txn_hash: hash })
        expect(debits).not.toEqual([])
        for (const { state, settled_amount, amount } of debits) {
          expect([state, settled_amount]).toEqual(['SETTLED', amount])
        }
      },
    )
  })
})
