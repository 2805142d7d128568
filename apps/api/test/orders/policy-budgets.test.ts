/** @module-tag all */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { writePolicies } from '../policies-file.ts'
import { restClient } from '../rest.ts'
import { type OrderService, payee, sign, startOrderService } from './order-service.ts'

const chainId = 31337
const secrets = {
  shop: 'a-secret-of-32-characters-shop-x',
  game: 'a-secret-of-32-characters-game-x',
  daily: 'a-secret-of-32-characters-daily-',
}
const plenty = { wei: String(10n ** 19n) }
const millisecondsOfDay = 86_400_000
/** Calls of this contract are paid from the budgets of callers. */
const shared = '0x00000000000000000000000000000000000005ed'

let builds = 0
/** Different call data makes each operation different. */
const request = (walletAddress: string, targetContractAddress: string = payee) => ({
  network: String(chainId),
  walletAddress,
  transactionDetails: [
    {
      targetContractAddress,
      value: '0',
      encodedData: `0x${(++builds).toString(16).padStart(8, '0')}`,
    },
  ],
  paymasterData: 'sponsored',
})

describe('budgets of gas policies', () => {
  let service: OrderService
  beforeAll(async () => {
    service = await startOrderService({
      chainIds: [chainId],
      environment: {
        API_KEYS: Object.entries(secrets)
          .map(([name, secret]) => `${name}:${secret}`)
          .join(),
        ALLOW_ANONYMOUS: 'true',
        POLICIES_FILE: writePolicies(
          {
            id: 'callers',
            calls: [{ contract: shared }],
            budgets: { day: plenty, caller: { day: { operations: 2 } } },
          },
          {
            id: 'daily',
            apiKeys: ['daily'],
            budgets: { day: { ...plenty, operations: 2 }, total: { operations: 3 } },
          },
          {
            id: 'keys',
            budgets: { day: plenty, apiKey: { day: { operations: 3 }, total: { operations: 4 } } },
          },
        ),
      },
    })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const clientOf = (name: keyof typeof secrets) =>
    restClient(service.service.url, { 'x-api-key': secrets[name] })
  const build = (name: keyof typeof secrets, walletAddress: string) =>
    clientOf(name).post('/smart-account/transaction/build', request(walletAddress))
  type Wallet = Awaited<ReturnType<OrderService['createWallet']>>
  /** Builds and submits an operation. */
  const statusOf = async (name: keyof typeof secrets, { owner, address }: Wallet) => {
    const built = await build(name, address)
    if (built.status !== 200) return built.status
    const signature = await sign.personal(owner, built.body.messageToSign)
    const submit = { walletAddress: address, signature }
    return (await clientOf(name).post('/smart-account/transaction/submit', submit)).status
  }
  const daysOf = (budget: string) =>
    service.database.db.selectFrom('sponsorship_days').selectAll().where('budget', '=', budget).execute()
  const rowsOf = async (budget: string) =>
    Object.fromEntries((await daysOf(budget)).map(({ day, operations }) => [day, operations]))
  const promisesOf = async (budget: string) =>
    Object.fromEntries((await daysOf(budget)).map(({ day, promises }) => [day, promises]))

  /** Milliseconds by which the clocks of the service and of the chain are ahead. */
  let ahead = 0
  const now = () => Date.now() + ahead
  async function moveTo(time: number) {
    const by = time - now()
    ahead += by
    service.advance(by)
    await service.on(chainId).chain.increaseTime({ seconds: Math.max(0, Math.ceil(by / 1000)) })
    await service.on(chainId).chain.mine({ blocks: 1 })
  }
  const midnightAfter = (time: number) => (Math.floor(time / millisecondsOfDay) + 1) * millisecondsOfDay
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

  test('behavior: each API key has its own daily and total budget for all accounts together', async () => {
    const first = await service.createWallet(clientOf('shop'))
    const second = await service.createWallet(clientOf('shop'))
    await moveTo(midnightAfter(now()) + 3_600_000)
    const noon = now()
    const spent = []
    for (const wallet of [first, second, first]) spent.push(await statusOf('shop', wallet))
    expect(spent).toEqual([200, 200, 200])
    const rejected = await build('shop', second.address)
    expect(rejected).toMatchObject({
      status: 400,
      body: {
        ...{ code: 'PAYMASTER_REFUSED', policy: 'keys', refusal: 'api_key_day' },
        resetsAt: new Date(midnightAfter(noon)).toISOString(),
      },
    })
    // One key's spending does not affect another's.
    expect(await statusOf('game', second)).toBe(200)

    await moveTo(midnightAfter(noon))
    expect(await statusOf('shop', first)).toBe(200)
    const { status, body } = await build('shop', first.address)
    expect({ status, body }).toMatchObject({ status: 400, body: { refusal: 'api_key_total' } })
    expect(body.resetsAt).toBeUndefined()
    expect(await statusOf('game', second)).toBe(200)
  })

  test('behavior: all accounts of an address share the budget of a caller; with a secret key, each has its own', async () => {
    const anonymous = restClient(service.service.url)
    const send = async (rest: typeof anonymous, { owner, address }: Wallet) => {
      const { status, body } = await rest.post('/smart-account/transaction/build', request(address, shared))
      if (status !== 200) return body.refusal
      const signature = await sign.personal(owner, body.messageToSign)
      return (await rest.post('/smart-account/transaction/submit', { walletAddress: address, signature }))
        .status
    }
    const wallets = []
    for (let count = 0; count < 3; count++) wallets.push(await service.createWallet(anonymous))
    const outcomes = []
    for (const wallet of wallets) outcomes.push(await send(anonymous, wallet))
    expect(outcomes).toEqual([200, 200, 'caller_day'])
    const ofServer = []
    for (const wallet of wallets) ofServer.push(await send(clientOf('shop'), wallet))
    expect(ofServer).toEqual([200, 200, 200])
    await moveTo(midnightAfter(now()))
    const [, , third] = wallets
    if (third) expect(await send(anonymous, third)).toBe(200)
  })

  test('behavior: a day ends at midnight UTC; a promise that was not kept returns to its day', async () => {
    const wallet = await service.createWallet(clientOf('shop'))
    const { address } = wallet
    const midnight = midnightAfter(now())
    const [before, after] = [dayOf(midnight - 1), dayOf(midnight)]
    // The operations start five minutes earlier, so that they end before midnight on a busy machine.
    await moveTo(midnight - 300_000)
    expect(await statusOf('daily', wallet)).toBe(200)
    expect(await statusOf('daily', wallet)).toBe(200)
    expect(await build('daily', address)).toMatchObject({
      status: 400,
      body: { policy: 'daily', refusal: 'all_day', resetsAt: new Date(midnight).toISOString() },
    })
    expect(await rowsOf('policy:daily')).toEqual({ [before]: 2, total: 2 })

    await moveTo(midnight)
    expect((await build('daily', address)).status).toBe(200)
    expect(await rowsOf('policy:daily')).toEqual({ [before]: 2, [after]: 0, total: 2 })
    // A caller holds at most a quarter of a budget in builds that it has not submitted, and at least one.
    expect(await build('daily', address)).toMatchObject({ status: 400, body: { refusal: 'unsent' } })
    expect(await promisesOf('policy:daily')).toEqual({ [before]: 0, [after]: 1, total: 1 })

    // It was never sent, so its promise ends after its signature has expired.
    await moveTo(midnight + 3_600_000)
    await service.finalize(chainId)
    await chargeSponsorships(
      { database: service.database.db },
      service.service.services.networks.get(chainId),
    )
    expect(await promisesOf('policy:daily')).toEqual({ [before]: 0, [after]: 0, total: 0 })
    expect(await statusOf('daily', wallet)).toBe(200)
    expect(await rowsOf('policy:daily')).toEqual({ [before]: 2, [after]: 1, total: 3 })
    expect(await build('daily', address)).toMatchObject({ status: 400, body: { refusal: 'all_total' } })
  })
})
