/** @module-tag all */

import { requiredPrefund } from '@lanyard/accounts'
import { testEngines } from '@lanyard/database/testing'
import { devAccounts } from '@lanyard/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toOperation } from '../../src/domain/operations/signed-operation.ts'
import { chargeSponsorships } from '../../src/domain/smart-balance/orders/charge-sponsorships.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type OrderService, payee, sign, startOrderService } from './order-service.ts'

const chainId = 31337
/** PostgreSQL if available: PGlite never runs two transactions at once. */
const engine = testEngines().at(-1) ?? 'pglite'
const secrets = { one: 'a-secret-of-sixteen-1', other: 'a-secret-of-sixteen-2' }
const amount = 1_000_000n

let service: OrderService
/** The maximum gas cost of one order without debits, in settlement tokens, rounded up. */
let cost: bigint
/** Price of one ether in units of the token. */
let price: bigint
/** wei per coin times units per token. */
const unit = 10n ** 24n
beforeAll(async () => {
  // With a high gas price an order costs many tokens. Budgets are whole tokens.
  const settings = { nativePrice: { kind: 'fixed', price: '250000000000' } }
  service = await startOrderService({ engine, chainIds: [chainId], settings })
  // 200 empty blocks bring the base fee to its minimum, so the cost of an operation stays the same.
  await service.on(chainId).chain.mine({ blocks: 200 })
  const { address } = await service.createFunded([chainId], 100_000_000_000n)
  const { body } = await build(service.rest, address)
  const [operation] = await service.readOperations(body.order.orderId)
  if (!operation) throw new TypeError('The build has no operation')
  price = await service.service.services.networks.get(chainId).nativePrice()
  cost = (requiredPrefund(toOperation(operation)) * price + unit - 1n) / unit
  await service.database.db.deleteFrom('sponsorships').execute()
  await service.database.db.deleteFrom('sponsorship_days').execute()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const build = (rest: RestClient, walletAddress: string, calls: readonly object[] = []) =>
  rest.post('/smart-account/transaction/build', {
    network: String(chainId),
    walletAddress,
    transactionDetails: calls,
    orderData: { amount: amount.toString() },
  })

const takenOf = async (budget: string) => {
  const row = await service.database.db
    .selectFrom('sponsorship_days')
    .select('taken')
    .where('budget', '=', budget)
    .executeTakeFirst()
  return row?.taken ?? 0n
}

test('attack: ten concurrent accounts cannot exceed the budget of their key, and ten of another key cannot exceed the total', async () => {
  const perKey = 3n * cost
  const all = 5n * cost
  await using limited = await service.start({
    API_KEYS: `one:${secrets.one},other:${secrets.other}`,
    UNPAID_ORDER_GAS: String(all),
    UNPAID_ORDER_GAS_PER_KEY: String(perKey),
  })
  const wallets: Awaited<ReturnType<OrderService['createFunded']>>[] = []
  for (let count = 0; count < 20; count++)
    wallets.push(await service.createFunded([chainId], 100_000_000_000n))
  const attempt = async (key: string, some: typeof wallets) => {
    const rest = restClient(limited.url, { 'x-api-key': key })
    const answers = await Promise.all(some.map(({ address }) => build(rest, address)))
    return {
      built: answers.filter(({ status }) => status === 200).length,
      refused: answers.filter(({ status }) => status !== 200).map(({ body }) => body),
    }
  }
  const one = await attempt(secrets.one, wallets.slice(0, 10))
  const other = await attempt(secrets.other, wallets.slice(10))
  const midnight = new Date()
  midnight.setUTCHours(24, 0, 0, 0)
  for (const [{ refused }, budgetName] of [
    [one, "this API key's daily budget"],
    [other, "the service's daily budget"],
  ] as const) {
    for (const body of refused) {
      expect(body).toMatchObject({
        code: 'PAYMASTER_REFUSED',
        message: expect.stringContaining(budgetName),
        resetsAt: midnight.toISOString(),
      })
    }
  }
  const rows = await service.database.db.selectFrom('sponsorships').selectAll().execute()
  const rowsOf = (name: string) => rows.filter(({ caller }) => caller === name)
  expect([rowsOf('one').length, rowsOf('other').length]).toEqual([one.built, other.built])
  // Refused builds take nothing: the usage of each budget is the sum of its builds.
  const sum = (some: typeof rows) => some.reduce((total, { reserved }) => total + reserved, 0n)
  expect(await takenOf('order')).toBe(sum(rows))
  expect(await takenOf('order:one')).toBe(sum(rowsOf('one')))
  expect(await takenOf('order:other')).toBe(sum(rowsOf('other')))
  // No usage exceeds its budget, and the rest is too small for two more builds. Fees change between builds.
  const maxReserved = rows.reduce((high, { reserved }) => (reserved > high ? reserved : high), 0n)
  for (const [taken, budget] of [
    [sum(rowsOf('one')), perKey],
    [sum(rows), all],
  ] as const) {
    const limit = (budget * unit) / price
    expect(taken).toBeLessThanOrEqual(limit)
    expect(taken + 2n * maxReserved).toBeGreaterThan(limit)
  }
})

test('behavior: a paid order frees its reservation when it is final; a reverted one charges its gas to the budget', async () => {
  const { chain, settlementToken, scale } = service.on(chainId)
  const network = service.service.services.networks.get(chainId)
  const charge = () => chargeSponsorships({ database: service.database.db }, network)
  const friend = devAccounts[6]?.address ?? payee
  await service.mint(chainId, friend, 1n)
  const good = await service.createFunded([chainId], 100_000_000_000n)
  const bad = await service.createFunded([chainId], 100_000_000_000n)
  const approve = (allowed: bigint) =>
    service.callAs(
      chainId,
      friend,
      settlementToken.address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bad.address, allowed] }),
    )
  await approve(scale)
  const before = await takenOf('order')
  const built = await build(service.rest, good.address)
  const reverting = await build(service.rest, bad.address, [
    {
      targetContractAddress: settlementToken.address,
      value: '0',
      encodedData: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [friend, payee, scale],
      }),
    },
  ])
  expect([built.status, reverting.status]).toEqual([200, 200])
  expect(await takenOf('order')).toBeGreaterThan(before)
  await approve(0n)
  const submit = async ({ owner, address }: typeof good, messageToSign: `0x${string}`) =>
    service.submit({ walletAddress: address, signature: await sign.raw(owner, messageToSign) })
  expect((await submit(good, built.body.messageToSign)).body).toMatchObject({ success: true })
  const failed = await submit(bad, reverting.body.messageToSign)
  expect(failed.body).toMatchObject({ success: false })

  const chargedOf = async ({ address }: typeof good) => {
    const rows = await service.database.db
      .selectFrom('sponsorships')
      .select('charged')
      .where('account', '=', address.toLowerCase())
      .execute()
    return rows.map(({ charged }) => charged)
  }
  await expect
    .poll(async () => {
      await service.finalize(chainId)
      await charge()
      return chargedOf(good)
    })
    .toEqual([0n])
  expect(await chargedOf(bad)).toEqual([null])

  await chain.increaseTime({ seconds: 700 })
  await service.finalize(chainId)
  await Promise.all([charge(), charge()])
  const { gas_cost } = await service.database.db
    .selectFrom('operations')
    .select('gas_cost')
    .where('user_op_hash', '=', failed.body.userOpHash)
    .executeTakeFirstOrThrow()
  expect(gas_cost).toBeGreaterThan(0n)
  expect(await chargedOf(bad)).toEqual([gas_cost])
  // The orders of the test above were never sent, so they cost nothing.
  expect([await takenOf('order'), await takenOf('order:one')]).toEqual([gas_cost, 0n])
})
