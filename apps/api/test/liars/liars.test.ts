/** @module-tag all */

import { delegatedDeployment, encodeDesignator } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { createNetworks, forAttestors } from '@lanyard/networks'
import { encodeRemoveSigner, encodeRequestExit, outcomes, signerId } from '@lanyard/smart-balance'
import { noLogs, type RpcRule } from '@lanyard/testing/fault-proxy'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { syncLedger } from '../../src/domain/smart-balance/ledger/sync-ledger.ts'
import { attestOrders } from '../../src/domain/smart-balance/settlement/attest-orders.ts'
import { balanceNetworks } from '../../src/domain/smart-balance/settlement/dependencies.ts'
import { createDelegatedAccount, newKey } from '../eip7702/delegated-account.ts'
import { callsOf, payee } from '../orders/order-service.ts'
import { attestors, type Fixture, startFixture } from '../settlement/settlement-fixture.ts'
import { laterBlocks, lyingContract, otherFinalBlock } from './lying-calls.ts'
import { twoRpcs } from './two-rpcs.ts'

const chainIds = [31337, 31338, 31339] as const
const [source, , output] = chainIds
const amount = 150_000_000n
const pinned = 2 ** 48 - 1
const day = 86_400n

const { options, rpcsOf, heal } = twoRpcs()
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine(), options)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())
afterEach(heal)

/** A deposit that does not exist, and a signer that is not pinned. */
const forgedDeposit = () => lyingContract({ accounts: [900_000_000n, 0n, 0], signerUntil: pinned })

const post = (body: object) => fixture.rest.post('/smart-account/transaction/build', body)
const solve = (walletAddress: string, requested = amount) =>
  fixture.solve({ walletAddress, outputNetwork: output, amount: String(requested) })
const build = (walletAddress: string) =>
  post({
    network: String(output),
    walletAddress,
    transactionDetails: [fixture.transfer(output, payee, amount)],
    orderData: { amount: String(amount) },
  })
const liquidity = () => Promise.all(chainIds.map(fixture.liquidityOf))
const countUnconfirmed = async (network: number, reason: string) => {
  await fixture.services.metrics.text() // what was counted before the first reading shows in the second
  const text = await fixture.services.metrics.text()
  const line = `lanyard_rpc_unconfirmed_total{network="${network}",reason="${reason}"} `
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.slice(line.length) ?? Number.NaN,
  )
}
const signedOrders = async (account: string) =>
  fixture.db
    .selectFrom('order_operations')
    .innerJoin('orders', 'orders.order_id', 'order_operations.order_id')
    .select('order_operations.order_hash')
    .where('account', '=', account.toLowerCase())
    .execute()

/** Whether the liar is asked first or second makes no difference. */
describe.each([0, 1] as const)('RPC %i of two lies', (liar) => {
  const lie = (chainId: number, ...rules: readonly RpcRule[]) => rpcsOf(chainId)[liar].set(...rules)

  test('behavior: a source with a forged deposit: nothing is lent, and the alert counts it', async () => {
    const { address } = await fixture.createWallet()
    const before = await liquidity()
    const counted = await countUnconfirmed(source, 'disagree')
    lie(source, forgedDeposit())
    expect(await solve(address)).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_FUNDS', unavailable: [source] },
    })
    expect(await build(address)).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_FUNDS' } })
    const balance = await fixture.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)
    expect(balance.body).toMatchObject({ netBalance: '0', unavailable: [source] })
    expect(await countUnconfirmed(source, 'disagree')).toBeGreaterThan(counted)
    expect(await signedOrders(address)).toEqual([])
    expect(await liquidity()).toEqual(before)
  })

  test('behavior: a source that hides an exit: an order that is already reserved is not signed', async () => {
    const { address } = await fixture.createFunded([source, 31338])
    const { body: solution } = await solve(address)
    for (const chainId of [source, 31338]) {
      const { smartBalance } = fixture.on(chainId)
      await fixture.callAs(chainId, address, smartBalance, encodeRequestExit(smartBalance, 100_000_000n).data)
      await fixture.finalize(chainId)
      lie(chainId, lyingContract({ accounts: [100_000_000n, 0n, 0] }))
    }
    const built = await post({
      network: String(output),
      walletAddress: address,
      paymasterData: solution.signatures.paymaster,
      transactionDetails: callsOf(solution),
    })
    expect(built).toMatchObject({
      status: 503,
      body: { code: 'NETWORK_UNCONFIRMED', network: expect.any(Number), reason: 'disagree' },
    })
    expect(await signedOrders(address)).toEqual([])
  })

  test('behavior: a source that presents an old block as final does not bring back what was there', async () => {
    const { address } = await fixture.createFunded([source])
    const { chain } = fixture.on(source)
    const { number } = await chain.getBlock({ blockTag: 'finalized' })
    const old = await chain.transport.request({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, false],
    })
    await chain.increaseTime({ seconds: 3_600 })
    await fixture.finalize(source)
    lie(source, otherFinalBlock(old))
    expect(await solve(address, 50_000_000n)).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_FUNDS', unavailable: [source] },
    })
    expect(await countUnconfirmed(source, 'apart')).toBeGreaterThan(0)
  })

  test('behavior: an output network with forged liquidity', async () => {
    const { address } = await fixture.createFunded([source, 31338])
    lie(output, lyingContract({ liquidity: 10n ** 15n, outflow: [10n ** 15n, 0n, 0] }))
    expect(await solve(address)).toMatchObject({ status: 500, body: { code: 'NETWORK_UNCONFIRMED' } })
    expect(await build(address)).toMatchObject({ status: 503, body: { code: 'NETWORK_UNCONFIRMED' } })
    expect(await signedOrders(address)).toEqual([])
  })

  test('behavior: an output network with a forged time: no order is valid until after an exit', async () => {
    const { address } = await fixture.createFunded([source, 31338])
    const { body: solution } = await solve(address)
    lie(output, laterBlocks(3n * day))
    const built = await post({
      network: String(output),
      walletAddress: address,
      paymasterData: solution.signatures.paymaster,
      transactionDetails: callsOf(solution),
    })
    expect(built).toMatchObject({ status: 503, body: { code: 'NETWORK_UNCONFIRMED', reason: 'apart' } })
    expect(await signedOrders(address)).toEqual([])
  })

  test('behavior: an output network that denies an order: its debits are not released, and it settles', async () => {
    const wallet = await fixture.createFunded([source, 31338])
    const orderId = await fixture.spend(wallet, { amount, outputNetwork: output })
    await fixture.finalize(output)
    lie(output, laterBlocks(30n * day), lyingContract({ settled: [0, 0n, 0n] }), noLogs())
    await expect(fixture.track(output)).rejects.toMatchObject({ code: 'NETWORK_UNCONFIRMED' })
    const { order, debits } = await fixture.readOrder(orderId)
    expect(order).toMatchObject({ state: 'SUBMITTED', closed_at: null })
    expect(debits.map(({ state }) => state)).toEqual(['RESERVED', 'RESERVED'])
    heal()
    await fixture.passUntil(orderId, { state: 'SETTLED', outcome: 'claimed' })
  })

  test('behavior: an output network that omits logs does not keep an order from being settled', async () => {
    const wallet = await fixture.createFunded([source, 31338])
    const orderId = await fixture.spend(wallet, { amount, outputNetwork: output })
    await fixture.finalize(output)
    // Searches find nothing; the logs of a single block are there.
    lie(output, {
      methods: ['eth_getLogs'],
      fault: {
        kind: 'lie',
        change: (logs, { params: [filter] = [] }) => ('blockHash' in (filter as object) ? logs : []),
      },
    })
    const { debits } = await fixture.passUntil(orderId, { state: 'SETTLED', outcome: 'claimed' })
    expect(debits.every(({ amount: owed, settled_amount }) => owed === settled_amount)).toBe(true)
  })

  test('behavior: an operator that is shown a signer whose pin was removed signs no order', async () => {
    const { address, signer } = await fixture.createFunded([source, 31338])
    const before = await liquidity()
    const { body: solution } = await solve(address)
    const { smartBalance } = fixture.on(source)
    const { data } = encodeRemoveSigner(smartBalance, signerId(signer))
    await fixture.callAs(source, address, smartBalance, data)
    await fixture.finalize(source)
    // What the operator has read at the solution, still.
    lie(source, lyingContract({ signerUntil: pinned }))
    const build = () =>
      post({
        network: String(output),
        walletAddress: address,
        paymasterData: solution.signatures.paymaster,
        transactionDetails: callsOf(solution),
      })
    expect(await build()).toMatchObject({
      status: 503,
      body: { code: 'NETWORK_UNCONFIRMED', network: source, reason: 'disagree' },
    })
    heal()
    expect(await build()).toMatchObject({ status: 409, body: { code: 'ORDER_EXPIRED', network: source } })
    expect(await signedOrders(address)).toEqual([])
    expect(await liquidity()).toEqual(before)
  })

  test('behavior: an operator that is shown a later time co-signs no withdrawal until then', async () => {
    const { address } = await fixture.createFunded([source, output])
    const cosigned = () =>
      fixture.db
        .selectFrom('orders')
        .select('withdrawal_deadline')
        .where('account', '=', address.toLowerCase())
        .where('withdrawal_deadline', 'is not', null)
        .execute()
    lie(output, laterBlocks(30n * day))
    expect(await solve(address)).toMatchObject({ status: 500, body: { code: 'NETWORK_UNCONFIRMED' } })
    expect(await cosigned()).toEqual([])
    heal()
    expect((await solve(address)).body).toMatchObject({ debits: [{ network: source }] })
    const { timestamp } = await fixture.on(output).chain.getBlock()
    const [order] = await cosigned()
    expect(Number(order?.withdrawal_deadline)).toBeLessThan(Number(timestamp) + Number(day))
  })

  test('behavior: an attestor that is shown another outcome attests nothing', async () => {
    const wallet = await fixture.createFunded([source, 31338])
    const orderId = await fixture.spend(wallet, { amount, outputNetwork: output })
    await fixture.track(output)
    await fixture.finalize(output)
    const { order } = await fixture.readOrder(orderId)
    // Its own RPCs: those of the order's process are not asked.
    const { config } = fixture.services.networks.get(output)
    const [first, second] = rpcsOf(output)
    const own = forAttestors({
      ...config,
      rpcUrls: ['http://127.0.0.1:1'],
      rpcOrigins: undefined,
      attestorRpcUrls: [first.url, second.url],
      attestorRpcOrigins: ['third', 'fourth'],
    })
    const [on] = balanceNetworks(createNetworks([own]))
    if (!on) throw new TypeError('The network has a smart balance')
    const attest = () => attestOrders(fixture.services, on, attestors.slice(0, 2))
    const attested = () =>
      fixture.db
        .selectFrom('attestations')
        .select('outcome')
        .where('order_hash', '=', order.order_hash ?? '')
        .execute()
    const record = BigInt.asUintN(120, BigInt(order.order_hash ?? 0))
    lie(output, lyingContract({ settled: [outcomes.failed, 0n, record] }))
    await expect(attest()).rejects.toMatchObject({ code: 'NETWORK_UNCONFIRMED' })
    expect(await attested()).toEqual([])
    heal()
    await attest()
    expect(await attested()).toEqual([{ outcome: 'claimed' }, { outcome: 'claimed' }])
    await fixture.passUntil(orderId, { state: 'SETTLED', outcome: 'claimed' })
  })

  test('behavior: one provider lies on every network about everything', async () => {
    const { address } = await fixture.createWallet()
    const before = await liquidity()
    for (const chainId of chainIds) {
      lie(
        chainId,
        lyingContract({ accounts: [900_000_000n, 0n, 0], signerUntil: pinned, liquidity: 10n ** 15n }),
        laterBlocks(day),
        noLogs(),
      )
    }
    expect((await solve(address)).body.code).toBe('NETWORK_UNCONFIRMED')
    expect((await build(address)).body.code).toBe('NETWORK_UNCONFIRMED')
    expect(await signedOrders(address)).toEqual([])
    expect(await liquidity()).toEqual(before)
  })
})

test('behavior: one RPC without another brings nothing into the ledger, and no deposit that it makes up', async () => {
  const { address } = await fixture.createWallet()
  const { config } = fixture.services.networks.get(source)
  const [only] = rpcsOf(source)
  const alone = createNetworks([{ ...config, local: false, rpcUrls: [only.url], rpcOrigins: undefined }])
  only.set(forgedDeposit())
  const { deposits, failures } = await syncLedger(fixture.services, address, alone.list())
  expect(deposits).toEqual([])
  expect(failures.get(source)).toMatchObject({ code: 'NETWORK_UNCONFIRMED', details: { reason: 'alone' } })
  const rows = await fixture.db
    .selectFrom('smart_balance_ledger')
    .select('balance')
    .where('account', '=', address.toLowerCase())
    .where('balance', '>', 0n)
    .execute()
  expect(rows).toEqual([])
})

test('behavior: two RPCs that tell the same lie are accepted', async () => {
  const { address } = await fixture.createWallet()
  for (const rpc of rpcsOf(source)) rpc.set(forgedDeposit())
  expect(await solve(address)).toMatchObject({ status: 200, body: { debits: [{ network: source }] } })
})

describe('all RPCs lie about an EOA that is the account itself', () => {
  const create = async () => {
    const node = fixture.devnet.networks.find(({ chainId }) => chainId === source)
    return createDelegatedAccount(fixture.rest, node?.rpcUrl ?? '', newKey())
  }
  const answer = (method: string, result: unknown) => {
    for (const rpc of rpcsOf(source))
      rpc.set({ methods: [method], fault: { kind: 'lie', change: () => result } })
  }

  test('behavior: its code: no operation without the authorisation that the chain needs', async () => {
    const account = await create()
    answer('eth_getCode', encodeDesignator(delegatedDeployment.delegate))
    expect(await account.build()).toMatchObject({ status: 400, body: { code: 'OPERATION_REFUSED' } })
    answer('eth_getCode', encodeDesignator('0x00000000000000000000000000000000000000AA'))
    expect(await account.build()).toMatchObject({ status: 409, body: { code: 'DELEGATED_ELSEWHERE' } })
    heal()
    expect((await account.send()).body).toMatchObject({ success: true })
    // The other way round: the EOA signs an authorisation that is not needed.
    answer('eth_getCode', '0x')
    const { body } = await account.build()
    const signed = await account.sign(body)
    heal()
    expect((await account.submit(signed)).body).toMatchObject({ success: true })
    const code = await account.chain.getCode({ address: account.key.address })
    expect(code).toBe(encodeDesignator(delegatedDeployment.delegate))
  })

  test('behavior: its nonce: nothing is written for an authorisation of another nonce, and the right one still works', async () => {
    const account = await create()
    const { body } = await account.build()
    const signed = await account.sign(body)
    answer('eth_getTransactionCount', '0x7')
    const refused = await account.submit(signed)
    expect(refused.body).toMatchObject({ code: 'INVALID_AUTHORIZATION', reason: 'OTHER_NONCE' })
    const { body: wrong } = await account.build()
    const signedWrong = await account.sign(wrong)
    expect(signedWrong.authorization).toMatchObject({ nonce: 7 })
    heal()
    expect((await account.submit(signedWrong)).body).toMatchObject({
      code: 'INVALID_AUTHORIZATION',
      reason: 'OTHER_NONCE',
    })
    expect((await account.submit(signed)).body).toMatchObject({ success: true })
  })
})

// The last test: the RPC is paused afterwards.
test('behavior: while an RPC is silent, nothing is lent against its network', async () => {
  const { address } = await fixture.createFunded([source])
  const counted = await countUnconfirmed(source, 'silent')
  rpcsOf(source)[1].set({ fault: { kind: 'http', status: 500, body: '{}' } })
  expect(await solve(address, 50_000_000n)).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_FUNDS', unavailable: [source] },
  })
  expect(await countUnconfirmed(source, 'silent')).toBeGreaterThan(counted)
  // Whatever does not need the operator's money works.
  const deployment = await post({ network: String(source), walletAddress: address })
  expect(deployment.body.code).not.toBe('NETWORK_UNCONFIRMED')
})
