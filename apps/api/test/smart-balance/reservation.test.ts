/** @module-tag all */

import { decodeOrderMarker } from '@lanyard/smart-balance'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laneCount } from '../../src/domain/operations/nonces.ts'
import { askUntilDone, postJson } from '../http-service.ts'
import { callsOf, type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'

const [first, second, third] = [31337, 31338, 31339] as const

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ production: true })
})
afterAll(() => service[Symbol.asyncDispose]())

const readOrder = (orderId: string) =>
  service.database.db
    .selectFrom('orders')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()

const askOrder = async (orderId: string) =>
  (await service.rest.get(`/v3/smartbalance/order?orderId=${orderId}`)).body

// biome-ignore lint/suspicious/noExplicitAny: the test checks single members of the answer
const buildWith = (walletAddress: string, network: number, solution: any) =>
  service.build({
    network: String(network),
    walletAddress,
    transactionDetails: [...callsOf(solution), service.transfer(network, payee, 1_000_000n)],
    paymasterData: solution.signatures.paymaster,
  })

/** Expires an order as if its ten minutes had passed. */
const expireOrder = (orderId: string) =>
  service.database.db
    .updateTable('orders')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('order_id', '=', orderId)
    .execute()

describe('a reservation', () => {
  test('behavior: a reservation matches its row and the order endpoint', async () => {
    const { address } = await service.createFunded([first, second, third])
    const { body: solution } = await service.solve({
      walletAddress: address,
      outputNetwork: third,
      amount: '250000000',
    })
    expect(decodeOrderMarker(solution.signatures.paymaster)?.orderId).toBe(solution.orderId)
    expect(await askOrder(solution.orderId)).toEqual({
      orderId: solution.orderId,
      state: 'RESERVED',
      outputNetwork: third,
      amount: '250000000',
      fee: solution.fee,
      total: String(250_000_000n + BigInt(solution.fee)),
      // biome-ignore lint/suspicious/noExplicitAny: the test checks single members of the answer
      debits: solution.debits.map((debit: any) => ({ ...debit, state: 'RESERVED' })),
      expiresAt: solution.expiresAt,
    })
    expect((await service.rest.get(`/v3/smartbalance/orders?walletAddress=${address}`)).body).toEqual({
      orders: [], // the order moved no funds
    })
  })

  test('behavior: a newer reservation replaces it and may use the same deposits', async () => {
    const { address } = await service.createFunded([first, second])
    const request = { walletAddress: address, outputNetwork: third, amount: '150000000' }
    const { body: one } = await service.solve(request)
    const { body: other } = await service.solve(request)
    expect(other.debits).toEqual(one.debits)
    expect(await askOrder(one.orderId)).toMatchObject({
      state: 'EXPIRED',
      debits: [{ state: 'RELEASED' }, {}],
    })
    expect(await askOrder(other.orderId)).toMatchObject({ state: 'RESERVED' })
  })

  test('behavior: a refused request does not change the earlier reservation', async () => {
    const { address } = await service.createFunded([first])
    const request = { walletAddress: address, outputNetwork: third }
    const { body: one } = await service.solve({ ...request, amount: '50000000' })
    expect((await service.solve({ ...request, amount: '500000000' })).status).toBe(400)
    expect(await askOrder(one.orderId)).toMatchObject({ state: 'RESERVED' })
  })

  test('behavior: a reservation expires without a request', async () => {
    const { address } = await service.createFunded([first])
    const { body } = await service.solve({ walletAddress: address, outputNetwork: third, amount: '50000000' })
    await expireOrder(body.orderId)
    expect(await askOrder(body.orderId)).toMatchObject({ state: 'EXPIRED', debits: [{ state: 'RELEASED' }] })
    const { body: balance } = await service.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)
    expect(balance.netBalance).toBe('100000000')
  })

  test('behavior: the next reservation on its network closes an expired one', async () => {
    const { address } = await service.createFunded([first])
    const { body } = await service.solve({ walletAddress: address, outputNetwork: third, amount: '50000000' })
    await expireOrder(body.orderId)
    const other = await service.createFunded([first])
    await service.solve({ walletAddress: other.address, outputNetwork: third, amount: '50000000' })
    expect(await readOrder(body.orderId)).toMatchObject({ state: 'EXPIRED', closed_at: expect.any(Date) })
  })

  test('behavior: an issued co-signature blocks the deposit for debits but not for its own network', async () => {
    const { address } = await service.createFunded([first, second])
    const own = { walletAddress: address, outputNetwork: first, amount: '60000000' }
    await service.solve(own)
    // The first order is replaced, but the account could still use its co-signature.
    expect((await service.solve({ ...own, amount: '70000000' })).status).toBe(200)
    const { status, body } = await service.solve({
      walletAddress: address,
      outputNetwork: third,
      amount: '120000000',
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INSUFFICIENT_FUNDS' })
    expect(
      (await service.solve({ walletAddress: address, outputNetwork: third, amount: '90000000' })).body.debits,
    ).toMatchObject([{ network: second }])
  })

  test('behavior: a repeated request with one Idempotency-Key reserves once', async () => {
    const { address } = await service.createFunded([first])
    const ask = async () => {
      const { body } = await askUntilDone(() =>
        postJson(
          `${service.service.url}/v3/smartbalance/computesolution`,
          { walletAddress: address, outputNetwork: third, amount: '50000000' },
          { ...service.headers, 'idempotency-key': `once-${address}` },
        ),
      )
      return body
    }
    const answers = await Promise.all([ask(), ask()])
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toHaveProperty('orderId')
  })
})

describe('the nonce', () => {
  const nonceOf = ({ transactions }: { transactions: { claim: { encodedData: Hex } } }) =>
    BigInt(`0x${transactions.claim.encodedData.slice(10)}`)
  const plainBuild = (walletAddress: string, network: number) =>
    service.build({
      network: String(network),
      walletAddress,
      transactionDetails: [{ encodedData: '0x', targetContractAddress: payee, value: '1' }],
    })

  test("behavior: builds skip a reserved lane, and reservations skip a lane with the caller's builds", async () => {
    const { address } = await service.createFunded([first])
    await service.on(third).chain.setBalance({ address, value: 10n ** 18n })
    expect((await plainBuild(address, third)).body.userOp.nonce).toBe('0')
    const { body } = await service.solve({ walletAddress: address, outputNetwork: third, amount: '1000000' })
    expect(nonceOf(body)).toBe(1n << 64n)
    expect((await plainBuild(address, third)).body.userOp.nonce).toBe(String(2n << 64n))
    // The lane is free on other networks.
    await service.on(second).chain.setBalance({ address, value: 10n ** 18n })
    expect((await plainBuild(address, second)).body.userOp.nonce).toBe('0')
  })

  test('behavior: if every lane has a build, the next build shares the lowest lane that is not reserved', async () => {
    const { address } = await service.createFunded([first])
    await service.on(third).chain.setBalance({ address, value: 10n ** 18n })
    const request = { walletAddress: address, outputNetwork: third, amount: '1000000' }
    const { body: one } = await service.solve(request)
    expect(nonceOf(one)).toBe(0n)
    for (let lane = 1; lane < laneCount; lane++) await plainBuild(address, third)
    expect((await plainBuild(address, third)).body.userOp.nonce).toBe(String(1n << 64n))
    const { body: other } = await service.solve(request) // this order replaces the first, so its lane is free
    expect(nonceOf(other)).toBe(0n)
  })
})

describe('after the operator has signed', () => {
  async function signed() {
    const wallet = await service.createFunded([first, second, third])
    const request = { walletAddress: wallet.address, amount: '120000000' }
    const { body: solution } = await service.solve({ ...request, outputNetwork: third })
    const { body: built } = await buildWith(wallet.address, third, solution)
    expect(built).not.toHaveProperty('code')
    return { ...wallet, request, solution, built }
  }

  test('error: ORDER_OPEN for another network', async () => {
    const { request, solution } = await signed()
    const { status, body } = await service.solve({ ...request, outputNetwork: first })
    expect({ status, code: body.code, orderId: body.orderId }).toEqual({
      status: 400, // the interface defines the statuses of this endpoint
      code: 'ORDER_OPEN',
      orderId: solution.orderId,
    })
  })

  test('behavior: another order on the same network shares the nonce, and the larger debit is held', async () => {
    const { request, address, solution } = await signed()
    const { body: other } = await service.solve({ ...request, amount: '220000000', outputNetwork: third })
    expect(other.transactions.claim).toEqual(solution.transactions.claim)
    expect(await askOrder(solution.orderId)).toMatchObject({ state: 'RESERVED' })
    const { body } = await service.rest.get(`/v3/smartbalance/deposits?walletAddress=${address}`)
    const reservedOn = Object.fromEntries(
      // biome-ignore lint/suspicious/noExplicitAny: the test checks single members of the answer
      body.deposits.map((deposit: any) => [deposit.network, deposit.reserved]),
    )
    for (const { network, amount } of other.debits) expect(reservedOn[network]).toBe(amount)
  })

  test('behavior: after its submit the next order can reserve, and the first order keeps its deposits', async () => {
    const { request, address, owner, built, solution } = await signed()
    const { body: sent } = await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, built.messageToSign),
    })
    expect(sent).toMatchObject({ success: true })
    const tooMuch = await service.solve({ ...request, amount: '190000000', outputNetwork: second })
    expect(tooMuch.body.code).toBe('INSUFFICIENT_FUNDS')
    const { status } = await service.solve({ ...request, amount: '20000000', outputNetwork: second })
    expect(status).toBe(200)
    const { orders } = (await service.rest.get(`/v3/smartbalance/orders?walletAddress=${address}`)).body
    expect(orders).toMatchObject([{ orderId: solution.orderId, userOpHash: sent.userOpHash }])
    expect(
      (
        await service.rest.get(
          `/v3/smartbalance/orders?walletAddress=${address}&before=${orders[0].createdAt}`,
        )
      ).body.orders,
    ).toEqual([])
  })
})

test('error: UNKNOWN_ORDER for an unknown order id', async () => {
  const { status, body } = await service.rest.get(`/v3/smartbalance/order?orderId=0x${'00'.repeat(32)}`)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'UNKNOWN_ORDER' })
})
