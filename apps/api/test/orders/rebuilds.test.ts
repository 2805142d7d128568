/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { encodeRemoveSigner, signerId } from '@lanyard/smart-balance'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import { callsOf, type OrderService, payee, sign, startOrderService } from './order-service.ts'

let service: OrderService
beforeAll(async () => {
  // PostgreSQL if available: PGlite never runs two transactions at once.
  const engine = usualEngine()
  service = await startOrderService({ production: true, engine, chainIds: [31337, 31338] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const output = 31338

async function solved() {
  const wallet = await service.createFunded([31337])
  const { body } = await service.solve({
    walletAddress: wallet.address,
    outputNetwork: output,
    amount: '50000000',
  })
  const request = (sent: bigint, more: object = {}) => ({
    network: String(output),
    walletAddress: wallet.address,
    transactionDetails: [...callsOf(body), service.transfer(output, payee, sent)],
    paymasterData: body.signatures.paymaster as Hex,
    ...more,
  })
  const submit = async (messageToSign: Hex) =>
    service.submit({
      walletAddress: wallet.address,
      signature: await sign.raw(wallet.owner, messageToSign),
    })
  return { ...wallet, orderId: body.orderId as Hex, request, submit }
}

const operationsOf = (account: Hex) => inclusionsOf(service.on(output).chain, account)

describe('rebuilding an order', () => {
  test('behavior: ten concurrent builds share a nonce and an expiry, and only the first signed one is included', async () => {
    const { request, submit, orderId, address } = await solved()
    const builds = await Promise.all(
      Array.from({ length: 10 }, (_, index) => service.build(request(BigInt(index + 1)))),
    )
    // A failure says what it was: its status alone does not.
    expect(builds.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
    expect(new Set(builds.map(({ body }) => body.userOp.nonce)).size).toBe(1)
    expect(new Set(builds.map(({ body }) => body.messageToSign)).size).toBe(10)
    // The first build extended the reservation. No later build expires after it.
    const order = await service.readOrder(orderId)
    const ends = builds.map(({ body }) => Number(body.validUntil))
    expect(order.expires_at.getTime()).toBeGreaterThanOrEqual(Math.max(...ends) * 1000)

    const operations = await service.readOperations(orderId)
    expect(operations).toHaveLength(10)
    for (const [index, { body }] of builds.entries()) {
      expect(await submit(body.messageToSign)).toMatchObject(
        index === 0 ? { status: 200, body: { success: true } } : { status: 409, body: { code: 'REBUILD' } },
      )
    }
    expect(await operationsOf(address)).toHaveLength(1)
  })

  test('behavior: replaces raises the fees of a submitted order; only one is included', async () => {
    const { request, submit, orderId, address } = await solved()
    const { chain } = service.on(output)
    const first = await service.build(request(1n))
    await chain.setAutomine(false)
    await chain.setIntervalMining({ interval: 0 })
    try {
      const waiting = submit(first.body.messageToSign)
      await expect.poll(async () => (await service.readOrder(orderId)).state).toBe('SUBMITTED')
      const [{ user_op_hash: replaces } = { user_op_hash: '' }] = await service.readOperations(orderId)
      await expect.poll(async () => (await service.readOperations(orderId))[0]?.state).toBe('submitted')

      expect(await service.build(request(2n))).toMatchObject({
        status: 409,
        body: { code: 'OPERATION_IN_FLIGHT', userOpHash: replaces },
      })
      const second = await service.build(request(2n, { replaces }))
      expect(second.status).toBe(200)
      expect(second.body.userOp.nonce).toBe(first.body.userOp.nonce)
      const fee = (body: typeof first.body) => BigInt(body.userOp.maxFeePerGas)
      expect(fee(second.body) * 10n).toBeGreaterThanOrEqual(fee(first.body) * 11n)
      expect(await service.readOperations(orderId)).toHaveLength(2)

      await chain.setIntervalMining({ interval: 1 })
      await chain.setAutomine(true)
      await chain.mine({ blocks: 1 })
      expect(await waiting).toMatchObject({ status: 200, body: { success: true, userOpHash: replaces } })
      expect(await submit(second.body.messageToSign)).toMatchObject({
        status: 409,
        body: { code: 'REBUILD' },
      })
    } finally {
      await chain.setAutomine(true)
      await chain.setIntervalMining({ interval: 1 })
    }
    expect(await operationsOf(address)).toHaveLength(1)
  })

  test('error: ORDER_EXPIRED if the signer’s pin on the source network was removed', async () => {
    const { request, address, signer } = await solved()
    const { smartBalance } = service.on(31337)
    await service.callAs(
      31337,
      address,
      smartBalance,
      encodeRemoveSigner(smartBalance, signerId(signer)).data,
    )
    await service.finalize(31337)
    expect(await service.build(request(1n))).toMatchObject({
      status: 409,
      body: { code: 'ORDER_EXPIRED', network: 31337 },
    })
  })

  test("behavior: an order expires by the chain's clock, and rebuilding does not extend it", async () => {
    const { request, submit } = await solved()
    const { chain } = service.on(output)
    const first = await service.build(request(1n))
    expect(first.status).toBe(200)
    await chain.increaseTime({ seconds: 300 })
    await chain.mine({ blocks: 1 })
    const second = await service.build(request(2n))
    expect(second).toMatchObject({ status: 200, body: { validUntil: first.body.validUntil } })
    await chain.increaseTime({ seconds: 240 })
    await chain.mine({ blocks: 1 })
    expect(await service.build(request(3n))).toMatchObject({ status: 409, body: { code: 'ORDER_EXPIRED' } })
    // The last half minute is too short for a bundler.
    await chain.increaseTime({ seconds: 25 })
    await chain.mine({ blocks: 1 })
    expect(await submit(second.body.messageToSign)).toMatchObject({ status: 409, body: { code: 'REBUILD' } })
  })

  test('error: ORDER_EXPIRED ten minutes after a solution without a build', async () => {
    const { request } = await solved()
    service.advance(601_000)
    expect(await service.build(request(1n))).toMatchObject({ status: 409, body: { code: 'ORDER_EXPIRED' } })
  })
})
