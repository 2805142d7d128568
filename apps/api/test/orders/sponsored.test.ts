/** @module-tag all */

import { testEngines } from '@lanyard/database/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/smart-balance/orders/charge-sponsorships.ts'
import { writePolicies } from '../policies-file.ts'
import { type OrderService, payee, sign, startOrderService } from './order-service.ts'

const chainId = 31337
/** PostgreSQL if available: PGlite never runs two transactions at once. */
const engine = testEngines().at(-1) ?? 'pglite'
const nothing = { targetContractAddress: payee, value: '0', encodedData: '0x' }

const request = (walletAddress: string, more: object = {}) => ({
  network: String(chainId),
  walletAddress,
  transactionDetails: [nothing],
  paymasterData: 'sponsored',
  ...more,
})

/** How much of a policy's daily budget is taken, over all accounts. */
const dayOf = (service: OrderService, policy: string) =>
  service.database.db
    .selectFrom('sponsorship_days')
    .selectAll()
    .where('budget', '=', `policy:${policy}`)
    .where('day', '!=', 'total')
    .executeTakeFirst()
const sponsorshipsOf = (service: OrderService, account: string) =>
  service.database.db
    .selectFrom('sponsorships')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('created_at')
    .execute()

describe('paymasterData: "sponsored"', () => {
  let service: OrderService
  beforeAll(async () => {
    service = await startOrderService({ engine, chainIds: [chainId] })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('default: an account without ether sends its first operation', async () => {
    const { owner, address } = await service.createWallet()
    const build = await service.build(request(address))
    expect(build).toMatchObject({
      status: 200,
      body: { validUntil: expect.stringMatching(/^\d+$/), userOp: { paymasterAndData: expect.any(String) } },
    })
    expect(build.body.order).toBeUndefined()
    const signature = await sign.personal(owner, build.body.messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await service.on(chainId).chain.getBalance({ address })).toBe(0n)
  })

  test('default: a passkey account sends two operations', async () => {
    const user = await service.createPasskeyUser()
    for (const _ of ['deploying', 'later']) {
      const options = await user.options({
        network: String(chainId),
        transactionDetails: [nothing],
        paymasterData: 'sponsored',
      })
      expect(options.status).toBe(200)
      expect(await user.verify(options.body)).toMatchObject({ status: 200, body: { success: true } })
    }
  })

  test('behavior: gas-fees returns the cost and reserves nothing', async () => {
    const { address } = await service.createWallet()
    const { paymasterData, network, transactionDetails } = request(address)
    const fees = await service.rest.post('/smart-account/transaction/gas-fees', {
      walletAddress: address,
      network,
      transactionDetails,
      paymasterData,
    })
    expect(fees).toMatchObject({ status: 200, body: { result: expect.stringMatching(/^[1-9]\d+$/) } })
    expect(await sponsorshipsOf(service, address)).toEqual([])
  })

  test('error: EXECUTION_REVERTED even if the caller sets allowRevert', async () => {
    const { address } = await service.createWallet()
    const transactionDetails = [service.transfer(chainId, payee, 1n)]
    const build = await service.build(request(address, { transactionDetails, allowRevert: true }))
    expect(build).toMatchObject({ status: 400, body: { code: 'EXECUTION_REVERTED' } })
    expect(build.body.message).not.toContain('allowRevert')
  })

  test('behavior: a reservation becomes a charge when the operation is final', async () => {
    const { owner, address } = await service.createWallet()
    const { chain } = service.on(chainId)
    const network = service.service.services.networks.get(chainId)
    const charge = () => chargeSponsorships({ database: service.database.db }, network)

    const used = await service.build(request(address))
    const signature = await sign.raw(owner, used.body.messageToSign)
    const { body } = await service.submit({ walletAddress: address, signature })
    const unused = await service.build(request(address))
    expect(unused.status).toBe(200)
    await service.finalize(chainId)
    await charge()
    expect(await sponsorshipsOf(service, address)).toMatchObject([{ charged: null }, { charged: null }])

    const before = await dayOf(service, 'local')
    await chain.increaseTime({ seconds: 700 })
    await service.finalize(chainId)
    await Promise.all([charge(), charge()])
    const { gas_cost } = await service.database.db
      .selectFrom('operations')
      .select('gas_cost')
      .where('user_op_hash', '=', body.userOpHash)
      .executeTakeFirstOrThrow()
    const rows = await sponsorshipsOf(service, address)
    expect(rows.map(({ charged }) => charged)).toEqual([gas_cost, 0n])
    expect(gas_cost).toBeGreaterThan(0n)
    // Other reservations of this suite ended too, so the usage equals the sum of all charges.
    const all = await service.database.db.selectFrom('sponsorships').select('charged').execute()
    const cost = all.reduce((sum, { charged }) => sum + (charged ?? 0n), 0n)
    const after = await dayOf(service, 'local')
    const count = all.filter(({ charged }) => charged !== 0n).length
    expect(after).toMatchObject({ taken: cost, settled: cost, operations: count })
    expect(before?.taken).toBeGreaterThan(cost)
  })
})

describe('budgets', () => {
  test('error: PAYMASTER_REFUSED beyond a budget, for concurrent requests', async () => {
    // The budgets allow about three operations in total, and two of one account.
    await using service = await startOrderService({ engine, chainIds: [chainId] })
    // 200 empty blocks bring the base fee to its minimum, so the cost of an operation stays the same.
    await service.on(chainId).chain.mine({ blocks: 200 })
    const { address } = await service.createWallet()
    const price = await service.rest.post('/smart-account/transaction/gas-fees', {
      network: String(chainId),
      walletAddress: address,
      transactionDetails: [nothing],
      paymasterData: 'sponsored',
    })
    const cost = BigInt(price.body.result)
    const all = (cost * 7n) / 2n
    const account = (cost * 5n) / 2n
    await using limited = await service.start({
      POLICIES_FILE: await writePolicies({
        id: 'limited',
        budgets: { day: { wei: String(all) }, account: { day: { wei: String(account) } } },
      }),
    })
    const build = async (walletAddress: string) => {
      const response = await fetch(`${limited.url}/smart-account/transaction/build`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request(walletAddress)),
      })
      return { status: response.status, body: (await response.json()) as { code?: string; message?: string } }
    }
    const own = await Promise.all(Array.from({ length: 5 }, () => build(address)))
    expect(own.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const { status, body } of own) {
      if (status !== 200) {
        expect(body).toMatchObject({ code: 'PAYMASTER_REFUSED', message: expect.stringContaining('account') })
      }
    }

    const others = await Promise.all(Array.from({ length: 20 }, () => service.createWallet()))
    const answers = await Promise.all(others.map((wallet) => build(wallet.address)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 'PAYMASTER_REFUSED',
      message: expect.stringContaining("policy limited's daily"),
      policy: 'limited',
      refusal: 'all_day',
    })
    const day = await dayOf(service, 'limited')
    expect(day?.taken).toBeLessThanOrEqual(all)
    const reserved = await service.database.db.selectFrom('sponsorships').select('reserved').execute()
    expect(reserved).toHaveLength(3)
    expect(day?.taken).toBe(reserved.reduce((sum, row) => sum + row.reserved, 0n))
  })

  test('error: PAYMASTER_REFUSED if no policy applies', async () => {
    await using service = await startOrderService({
      chainIds: [chainId],
      environment: { POLICIES_FILE: await writePolicies() },
    })
    const { address } = await service.createWallet()
    expect(await service.build(request(address))).toMatchObject({
      status: 400,
      body: { code: 'PAYMASTER_REFUSED', message: expect.stringContaining('POLICIES_FILE') },
    })
  })
})
