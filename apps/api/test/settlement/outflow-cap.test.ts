/** @module-tag all */
// @promise 23 A.3

import { encodeSignature, fromWireUserOperation, packUserOperation } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { canonicalAddresses, devAccounts, devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { encodeFunctionData, type Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payee, sign } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'
import { type Fixture, type FixtureWallet, startFixture } from './settlement-fixture.ts'

/**
 * Tests of the hourly cap on lending. An operation above the cap fails without a cost to anyone, so orders reserve
 * their part of the cap.
 */
const output = 31339
const sources = [31337, 31338]
const thirdParty = privateKeyToAccount(devAccounts[4]?.privateKey ?? randomPrivateKey())

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine())
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** Sets the cap so that `left` (6 decimals) can still be lent in this hour. */
async function setCap(left: bigint) {
  const { chain, smartBalance } = fixture.on(output)
  const contract = { address: smartBalance, abi: smartBalanceAbi } as const
  const [[, spent, hour], { timestamp }] = await Promise.all([
    chain.readContract({ ...contract, functionName: 'outflow' }),
    chain.getBlock(),
  ])
  const spentNow = BigInt(hour) === timestamp / 3_600n ? spent : 0n
  const data = encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'setOutflowCap',
    args: [spentNow + left],
  })
  await fixture.callAs(output, devRoles.owner.address, smartBalance, data)
  await fixture.finalize(output)
}

const request = (wallet: FixtureWallet, amount: bigint) => ({
  network: String(output),
  walletAddress: wallet.address,
  transactionDetails: [fixture.transfer(output, payee, amount)],
  orderData: { amount: amount.toString() },
})

async function signed(wallet: FixtureWallet, body: Awaited<ReturnType<Fixture['build']>>['body']) {
  const read = fromWireUserOperation(body.userOp)
  if (!read.ok) throw new Error(read.message)
  const signatures = await sign.raw(wallet.owner, body.messageToSign)
  const validity = { validAfter: Number(body.validAfter ?? 0), validUntil: Number(body.validUntil) }
  return packUserOperation({ ...read.operation, signature: encodeSignature({ ...validity, signatures }) })
}

test('attack: two orders that use the whole cap are both paid in one bundle, and a third is refused', async () => {
  const wallet = await fixture.createFunded(sources)
  await fixture.passUntil(await fixture.spend(wallet, { amount: 1_000_000n, outputNetwork: output }), {
    state: 'SETTLED',
  })
  const amount = 40_000_000n
  await setCap(2n * amount)
  const first = await fixture.build(wallet, { amount, outputNetwork: output })
  // The first order is submitted, so the next order gets its own nonce. The relayer has no funds and sends nothing.
  const { chain } = fixture.on(output)
  const { relayer } = fixture
  const funds = await chain.getBalance({ address: relayer })
  await chain.setBalance({ address: relayer, value: 0n })
  const submitting = fixture.submit({ walletAddress: wallet.address, signature: first.signature })
  await expect.poll(async () => (await fixture.readOrder(first.orderId)).order.state).toBe('SUBMITTED')

  const aboveCap = await fixture.rest.post('/smart-account/transaction/build', request(wallet, amount + 1n))
  expect(aboveCap).toMatchObject({
    status: 400,
    body: {
      code: 'INSUFFICIENT_LIQUIDITY',
      lendable: amount.toString(),
      message: expect.stringContaining('its hourly cap is reached'),
      resetsAt: expect.stringMatching(/T\d\d:00:00.000Z$/),
    },
  })
  const second = await fixture.build(wallet, { amount, outputNetwork: output })
  expect((await fixture.readOrder(second.orderId)).order.claim_amount).toBe(amount)
  const other = await fixture.createFunded(sources)
  expect(
    await fixture.rest.post('/smart-account/transaction/build', request(other, 1_000_000n)),
  ).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_LIQUIDITY', lendable: '0' },
  })

  const hash = await chain.writeContract({
    account: thirdParty,
    chain: null,
    address: canonicalAddresses.entryPoint,
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [[await signed(wallet, first.body), await signed(wallet, second.body)], thirdParty.address],
  })
  await receiptOf(chain, hash)
  await chain.setBalance({ address: relayer, value: funds })
  expect(await submitting).toMatchObject({ status: 200, body: { success: true, txnHash: hash } })
  for (const { orderId } of [first, second]) {
    const { order } = await fixture.passUntil(orderId, { state: 'SETTLED' })
    expect(order).toMatchObject({ outcome: 'claimed', txn_hash: hash })
  }
})

test('behavior: an order that fails because the cap was lowered owes nothing and frees its deposits', async () => {
  const amount = 40_000_000n
  await setCap(1_000_000_000_000n)
  const wallet = await fixture.createFunded(sources)
  const before = await fixture.holdings(wallet.address, sources)
  const { orderId, signature } = await fixture.build(wallet, { amount, outputNetwork: output })
  await setCap(0n)
  const { body } = await fixture.submit({ walletAddress: wallet.address, signature })
  expect(body).toMatchObject({ success: false })
  const { order, debits } = await fixture.passUntil(orderId, { state: 'EXPIRED' })
  expect(order.closed_at).not.toBeNull()
  expect(debits.map(({ state }) => state)).toEqual(debits.map(() => 'RELEASED'))
  expect(await fixture.holdings(wallet.address, sources)).toEqual(before)
  const { smartBalance, chain } = fixture.on(output)
  const logs = await chain.getContractEvents({
    address: smartBalance,
    abi: smartBalanceAbi,
    eventName: 'OrderUnfunded',
    fromBlock: 0n,
    strict: true,
  })
  const operations = await fixture.readOperations(orderId)
  expect(logs.map(({ args }) => args.orderHash)).toEqual(
    operations.map(({ order_hash }) => order_hash as Hex),
  )
  // The whole balance can be spent again after the cap is raised.
  await setCap(1_000_000_000_000n)
  await fixture.build(wallet, { amount: 150_000_000n, outputNetwork: output })
})
