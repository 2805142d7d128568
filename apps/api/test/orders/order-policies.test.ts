/** @module-tag all */
// @promise 23 A.7

import { devAccounts } from '@lanyard/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { writePolicies } from '../policies-file.ts'
import { type OrderService, payee, sign, startOrderService } from './order-service.ts'

const chainId = 31337
const plenty = { wei: String(10n ** 18n) }

/** An order without debits pays its fee only by its withdrawal. If its calls revert, a policy has paid. */
let service: OrderService
beforeAll(async () => {
  service = await startOrderService({
    production: true,
    chainIds: [chainId],
    environment: {
      POLICIES_FILE: writePolicies(
        { id: 'blocked', effect: 'deny', calls: [{ contract: devAccounts[5]?.address }] },
        { id: 'orders', anyBundler: true, budgets: { day: plenty, account: { day: { operations: 1 } } } },
      ),
    },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const build = (walletAddress: string, calls: readonly object[] = []) =>
  service.build({
    network: String(chainId),
    walletAddress,
    transactionDetails: calls,
    orderData: { amount: '1000000' },
  })

const allOf = (policy: string) =>
  service.database.db
    .selectFrom('sponsorship_days')
    .selectAll()
    .where('budget', '=', `policy:${policy}`)
    .where('day', '=', 'total')
    .executeTakeFirst()

test('behavior: a policy decides over the calls of an order without debits, and its budgets bound the orders', async () => {
  const { address } = await service.createFunded([chainId], 100_000_000_000n)
  const denied = [{ targetContractAddress: devAccounts[5]?.address, value: '0', encodedData: '0x' }]
  expect(await build(address, denied)).toMatchObject({
    status: 400,
    body: { code: 'PAYMASTER_REFUSED', policy: 'blocked', refusal: 'denied' },
  })
  expect((await build(address)).status).toBe(200)
  expect(await build(address)).toMatchObject({
    status: 400,
    body: { code: 'PAYMASTER_REFUSED', policy: 'orders', refusal: 'account_day' },
  })
})

test('behavior: a paid order returns its budget when it is final; a reverted one is charged to it', async () => {
  const { chain, settlementToken, scale } = service.on(chainId)
  const network = service.service.services.networks.get(chainId)
  const friend = devAccounts[6]?.address ?? payee
  await service.mint(chainId, friend, 1n)
  const good = await service.createFunded([chainId], 100_000_000_000n)
  const bad = await service.createFunded([chainId], 100_000_000_000n)
  const { address: token } = settlementToken
  const approve = (allowed: bigint) =>
    service.callAs(
      ...([chainId, friend, token] as const),
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bad.address, allowed] }),
    )
  await approve(scale)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [friend, payee, scale],
  })
  const reverting = await build(bad.address, [
    { targetContractAddress: token, value: '0', encodedData: data },
  ])
  expect(reverting.status).toBe(200)
  await approve(0n)
  const signature = await sign.raw(bad.owner, reverting.body.messageToSign)
  const { body } = await service.submit({ walletAddress: bad.address, signature })
  expect(body).toMatchObject({ success: false })
  const paying = await build(good.address)
  expect(paying.status).toBe(200)
  const paid = await service.submit({
    walletAddress: good.address,
    signature: await sign.raw(good.owner, paying.body.messageToSign),
  })
  expect(paid).toMatchObject({ status: 200, body: { success: true } })

  await chain.increaseTime({ seconds: 900 })
  await service.finalize(chainId)
  await chargeSponsorships({ database: service.database.db }, network)
  const { gas_cost } = await service.database.db
    .selectFrom('operations')
    .select('gas_cost')
    .where('user_op_hash', '=', body.userOpHash)
    .executeTakeFirstOrThrow()
  expect(gas_cost).toBeGreaterThan(0n)
  expect(await allOf('orders')).toMatchObject({
    operations: 1,
    settled: gas_cost,
    taken: gas_cost,
    promises: 0,
  })
  // One order a day for each account: the reverted one has used it up, the paid one has not.
  expect(await build(bad.address)).toMatchObject({
    status: 400,
    body: { code: 'PAYMASTER_REFUSED', policy: 'orders', refusal: 'account_day' },
  })
  expect((await build(good.address)).status).toBe(200)
})
