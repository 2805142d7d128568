/** @module-tag all */

import {
  type BuildRequest,
  createLanyardClient,
  recomputeQuote,
  signBuild,
  spend,
  toTransactionDetail,
  verifySolution,
} from '@lanyard/client'
import { smartBalanceAddress } from '@lanyard/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrderService, payee, startOrderService } from '../orders/order-service.ts'

const networks = [31337, 31338, 31339] as const
const outputNetwork = 31339
const scale = 10n ** 12n // its token has 18 decimals

let service: OrderService
beforeAll(async () => {
  service = await startOrderService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const connect = () => createLanyardClient({ baseUrl: service.service.url })

async function prepare() {
  const { owner, address } = await service.createFunded(networks)
  return {
    lanyard: connect(),
    signer: owner,
    account: address,
    before: await service.balanceOf(outputNetwork, payee),
  }
}

const received = async (before: bigint) => (await service.balanceOf(outputNetwork, payee)) - before

describe('spend', () => {
  test('default', async () => {
    const { lanyard, signer, before } = await prepare()
    const spent = await spend(lanyard, {
      signer,
      smartBalance: smartBalanceAddress,
      request: {
        outputNetwork,
        amount: '250000000',
        limit: 300_000_000,
        transactionDetails: [service.transfer(outputNetwork, payee, 250_000_000n)],
      },
    })
    expect(spent).toMatchObject({ success: true, amount: 250_000_000n })
    expect(spent.total).toBe(spent.amount + spent.fee)
    expect(await received(before)).toBe(250_000_000n * scale)
    expect(await lanyard.smartBalance.order({ orderId: spent.orderId })).toMatchObject({
      amount: '250000000',
      fee: spent.fee.toString(),
    })
  })

  test('error: LIMIT_BREACHED', async () => {
    const { lanyard, signer } = await prepare()
    const request = { outputNetwork, amount: '250000000', limit: 250_000_000 }
    await expect(
      spend(lanyard, { signer, smartBalance: smartBalanceAddress, request }),
    ).rejects.toMatchObject({ name: 'LanyardApiError', code: 'LIMIT_BREACHED' })
  })
})

describe('recomputeQuote', () => {
  test.each([
    { amount: '50000000' },
    { amount: '150000000' },
    { amount: '250000000' },
    { amount: '300000000', type: 'AMOUNT_IN' },
    { amount: '12345678', type: 'AMOUNT_IN' },
  ] as const)('behavior: the quote and the reservation follow from the terms, %o', async (quoteRequest) => {
    const { lanyard, account } = await prepare()
    const request = { outputNetwork, ...quoteRequest }
    const terms = await lanyard.smartBalance.terms({
      walletAddress: account,
      outputNetwork: String(outputNetwork),
    })
    const planned = recomputeQuote({ request, terms })
    if (!planned.ok) throw new TypeError(planned.problem)
    const { plan } = planned
    const { quote } = await lanyard.smartBalance.getQuote({ walletAddress: account, ...request })
    expect(quote).toEqual({
      amount: plan.amount.toString(),
      fee: plan.fee.toString(),
      total: plan.total.toString(),
    })
    const solution = await lanyard.smartBalance.computeSolution({ walletAddress: account, ...request })
    expect(
      verifySolution({ solution, request, smartBalance: smartBalanceAddress, account, quote, plan }),
    ).toMatchObject(plan)
  })
})

describe('signBuild', () => {
  test('behavior: signs a build that pays with a solution and its failFees', async () => {
    const { lanyard, signer, account, before } = await prepare()
    const quoteRequest = { outputNetwork, amount: '120000000' }
    const terms = await lanyard.smartBalance.terms({
      walletAddress: account,
      outputNetwork: String(outputNetwork),
    })
    const planned = recomputeQuote({ request: quoteRequest, terms })
    if (!planned.ok) throw new TypeError(planned.problem)
    const answer = await lanyard.smartBalance.computeSolution({ ...quoteRequest, walletAddress: account })
    const solution = verifySolution({
      solution: answer,
      request: quoteRequest,
      smartBalance: smartBalanceAddress,
      account,
      plan: planned.plan,
    })
    const request = {
      network: String(outputNetwork),
      walletAddress: account,
      transactionDetails: [
        ...solution.calls.map(toTransactionDetail),
        service.transfer(outputNetwork, payee, 120_000_000n),
      ],
      paymasterData: solution.paymasterData,
    }
    const build = await lanyard.smartAccount.build(request)
    const signature = await signBuild({ build, request, signer, order: { solution } })
    expect(await lanyard.smartAccount.submit({ signature, walletAddress: account })).toMatchObject({
      success: true,
    })
    expect(await received(before)).toBe(120_000_000n * scale)
  })

  test('behavior: signs a build with orderData', async () => {
    const { lanyard, signer, account, before } = await prepare()
    const request = {
      network: String(outputNetwork),
      walletAddress: account,
      transactionDetails: [service.transfer(outputNetwork, payee, 210_000_000n)],
      orderData: { amount: '210000000', limit: 220_000_000 },
    }
    const build = await lanyard.smartAccount.build(request)
    const order = { smartBalance: smartBalanceAddress }
    const cheaper: BuildRequest = { ...request, orderData: { amount: '210000000', limit: 210_000_000 } }
    await expect(signBuild({ build, request: cheaper, signer, order })).rejects.toMatchObject({
      name: 'BuildVerificationError',
      field: 'order.total',
    })
    const signature = await signBuild({ build, request, signer, order })
    expect(await lanyard.smartAccount.submit({ signature, walletAddress: account })).toMatchObject({
      success: true,
    })
    expect(await received(before)).toBe(210_000_000n * scale)
  })
})
