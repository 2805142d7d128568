/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { createNetworks } from '@lanyard/networks'
import { noLogs, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { getAddress, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { writePolicies } from '../policies-file.ts'
import { restClient } from '../rest.ts'
import { type OrderService, payee, sign, startOrderService } from './order-service.ts'

const chainId = 31337
/** PostgreSQL if available: PGlite never runs two transactions at once. */
const engine = usualEngine()
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
    service = await startOrderService({ production: true, engine, chainIds: [chainId] })
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
    // So a wallet shows no fee that its person did not pay.
    expect(await service.rest.get(`/wallet/activity?walletAddress=${address}`)).toMatchObject({
      body: { activity: [{ paymaster: getAddress(build.body.userOp.paymasterAndData.slice(0, 42)) }] },
    })
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

    expect(await dayOf(service, 'all')).toMatchObject({ promises: 1 })
    const before = await dayOf(service, 'all')
    await chain.increaseTime({ seconds: 700 })
    await service.finalize(chainId)
    await Promise.all([charge(), charge()])
    const { gasUsed, effectiveGasPrice } = await chain.getTransactionReceipt({ hash: body.txnHash })
    const paid = gasUsed * effectiveGasPrice
    const [charged = 0n, ...others] = (await sponsorshipsOf(service, address)).map((row) => row.charged ?? 0n)
    expect(others).toEqual([0n])
    // The relayer added its own tip to the operation's.
    expect(charged).toBeGreaterThanOrEqual(paid)
    expect(charged).toBeLessThan((paid * 3n) / 2n)
    // Other reservations of this suite ended too, so the usage equals the sum of all charges.
    const all = await service.database.db.selectFrom('sponsorships').select('charged').execute()
    const cost = all.reduce((sum, { charged }) => sum + (charged ?? 0n), 0n)
    const after = await dayOf(service, 'all')
    const count = all.filter(({ charged }) => charged !== 0n).length
    expect(after).toMatchObject({ taken: cost, settled: cost, operations: count, promised: 0n, promises: 0 })
    expect(before?.taken).toBeGreaterThan(cost)
  })

  test.each([0, 1])('attack: RPC %i of two hides the operation, and frees no budget', async (liar) => {
    const { owner, address } = await service.createWallet()
    const built = await service.build(request(address))
    const signature = await sign.raw(owner, built.body.messageToSign)
    await service.submit({ walletAddress: address, signature })
    await service.on(chainId).chain.increaseTime({ seconds: 700 })
    await service.finalize(chainId)
    const { config } = service.service.services.networks.get(chainId)
    const [honest = ''] = config.rpcUrls
    await using proxy = await startRpcProxy(honest)
    proxy.set(noLogs())
    const rpcUrls = liar === 0 ? [proxy.url, honest] : [honest, proxy.url]
    const lied = createNetworks([{ ...config, rpcUrls, rpcOrigins: ['first', 'second'] }]).get(chainId)
    await chargeSponsorships({ database: service.database.db }, lied)
    expect(await sponsorshipsOf(service, address)).toMatchObject([{ charged: expect.any(BigInt) }])
    const [{ charged } = { charged: 0n }] = await sponsorshipsOf(service, address)
    expect(charged).toBeGreaterThan(0n)
  })
})

describe('budgets', () => {
  test('error: PAYMASTER_REFUSED beyond a budget, for concurrent submissions', async () => {
    // The budgets allow three operations in total, and two of one account.
    await using service = await startOrderService({ production: true, engine, chainIds: [chainId] })
    const wallet = await service.createWallet()
    // With a secret key each account is a caller by itself.
    const secret = 'a-secret-of-32-characters-xxxxxx'
    await using limited = await service.start({
      API_KEYS: `server:${secret}`,
      POLICIES_FILE: writePolicies({
        id: 'limited',
        budgets: {
          operation: String(parseEther('1')),
          day: { operations: 3 },
          account: { day: { operations: 2 } },
        },
      }),
    })
    const rest = restClient(limited.url, { 'x-api-key': secret })
    const build = (walletAddress: string) =>
      rest.post('/smart-account/transaction/build', request(walletAddress))
    type Wallet = typeof wallet
    type Answer = Awaited<ReturnType<typeof build>>
    const submit = async ({ owner, address }: Wallet, { body }: Answer) =>
      rest.post('/smart-account/transaction/submit', {
        walletAddress: address,
        signature: await sign.personal(owner, body.messageToSign),
      })
    const day = () => dayOf(service, 'limited')
    const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

    // Builds promise and take nothing: one for each of three accounts, and none beyond the day once more.
    const wallets = [wallet, ...(await Promise.all(Array.from({ length: 5 }, () => service.createWallet())))]
    const built = await Promise.all(wallets.map(({ address }) => build(address)))
    expect(statusesOf(built).filter((status) => status === 200)).toHaveLength(3)
    for (const { status, body } of built)
      if (status !== 200) expect(body).toMatchObject({ policy: 'limited', refusal: 'unsent' })
    expect(await day()).toMatchObject({ taken: 0n, operations: 0, promises: 3 })
    const [first, second, third] = wallets.flatMap((owner, index) => {
      const answer = built[index]
      return answer?.status === 200 ? [{ owner, answer }] : []
    })
    if (!first || !second || !third) throw new TypeError('three builds')

    expect((await submit(first.owner, first.answer)).status).toBe(200)
    const again = await build(first.owner.address)
    expect(again.status).toBe(200)
    expect((await build(first.owner.address)).body).toMatchObject({ refusal: 'account_day' })
    const outcomes = await Promise.all([
      submit(first.owner, again),
      submit(second.owner, second.answer),
      submit(third.owner, third.answer),
    ])
    expect(statusesOf(outcomes).toSorted()).toEqual([200, 200, 400])
    expect(outcomes.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 'PAYMASTER_REFUSED',
      message: expect.stringContaining("policy limited's daily"),
      policy: 'limited',
      refusal: 'all_day',
    })
    const rows = await service.database.db.selectFrom('sponsorships').selectAll().execute()
    const taken = rows.filter((row) => row.taken)
    expect(taken).toHaveLength(3)
    expect(await day()).toMatchObject({
      taken: taken.reduce((sum, row) => sum + row.reserved, 0n),
      ...{ operations: 3, promises: 1 },
    })
  })

  test('error: PAYMASTER_REFUSED if no policy applies', async () => {
    await using service = await startOrderService({
      chainIds: [chainId],
      environment: { POLICIES_FILE: writePolicies() },
    })
    const { address } = await service.createWallet()
    expect(await service.build(request(address))).toMatchObject({
      status: 400,
      body: { code: 'PAYMASTER_REFUSED', message: expect.stringContaining('POLICIES_FILE') },
    })
  })
})
