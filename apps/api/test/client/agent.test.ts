/** @module-tag all */
// @promise 24 C.5
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLanyardClient, sessionKeyOfAccount } from '@lanyard/client'
import { devAccounts, sessionKeysAddress, settlementTokenAddress } from '@lanyard/devnet'
import { startPaidApi } from '@lanyard/example-paid-api'
import {
  type Agent,
  agentSettings,
  createMcpServer,
  createPaymentRecords,
  type Purse,
  serveHttp,
} from '@lanyard/mcp'
import { randomPrivateKey } from '@lanyard/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type SessionService, startSessionService } from '../session-keys/session-service.ts'

/* An agent with the real MCP client, the real service and, for purchases, x402's published seller and facilitator. */

const chainId = 31337
const shop: Address = '0x00000000000000000000000000000000DeaDBeef'
const thirdParty: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [chainId] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

type Answer = Record<string, unknown> & { readonly link: string; readonly userOpHash: Hex }

/** An agent without any allowance, and its owner. */
async function createAgent({ sellers }: { readonly sellers?: readonly string[] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-agent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const wallet = await service.createFundedWallet([chainId])
  const key = privateKeyToAccount(randomPrivateKey())
  const purseKey = privateKeyToAccount(randomPrivateKey())
  const settings = agentSettings.parse({
    ...{ url: service.service.url, walletUrl: 'http://localhost:5173', account: wallet.address },
    ...{ sessionKeys: sessionKeysAddress, name: 'Shopper', origin: 'http://localhost:7402' },
    ...{ key: `remote:${key.address}`, contacts: { 'The shop': shop } },
    ...(sellers && {
      purse: { network: chainId, key: `remote:${purseKey.address}`, ceiling: '2', sellers },
    }),
  })
  const agent: Agent = {
    lanyard: createLanyardClient({ baseUrl: service.service.url }),
    ...{
      settings,
      signer: sessionKeyOfAccount(key),
      records: createPaymentRecords(join(folder, 'payments')),
    },
  }
  const purse: Purse | undefined = settings.purse && { account: purseKey, settings: settings.purse }
  return { agent, purse, wallet, purseKey }
}

async function connect({ agent, purse }: { readonly agent: Agent; readonly purse: Purse | undefined }) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createMcpServer(agent, purse).connect(theirs)
  const client = new Client({ name: 'a model', version: '1' })
  await client.connect(ours)
  onTestFinished(() => client.close())
  return { client, call: caller(client) }
}

const caller =
  (client: Client) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: args })
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result.structuredContent as Answer
  }

/** What the wallet does with a link once the owner approves. */
async function approve(wallet: Awaited<ReturnType<SessionService['createFundedWallet']>>, link: string) {
  const text = new URLSearchParams(new URL(link).hash.slice(1)).get('request') ?? ''
  const { key, duration, permissions } = JSON.parse(Buffer.from(text, 'base64url').toString())
  const validAfter = await service.now(chainId)
  const plan = await service.enable(wallet, chainId, { sessionKey: key }, permissions, {
    validUntil: validAfter + duration,
  })
  expect(plan).toMatchObject({ status: 200 })
  expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })
}

const balanceOf = (address: Address) =>
  service.on(chainId).chain.readContract({
    ...{ address: settlementTokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [address] },
  })
const payment = { network: chainId, token: 'USDC', to: 'the shop', amount: '1.5' }

describe('an agent over MCP', () => {
  test('behavior: asks for an allowance, pays within it, and asks for more beyond it', async () => {
    const { agent, purse, wallet } = await createAgent()
    const { client, call } = await connect({ agent, purse })
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('pay_url')

    const first = await call('send_payment', { ...payment, reference: 'first' })
    expect(first).toMatchObject({
      status: 'needs_owner',
      amount: '1.5 USDC',
      to: { name: 'The shop', address: shop },
    })
    await approve(wallet, first.link)
    const before = await balanceOf(shop)
    const paid = await call('send_payment', { ...payment, reference: 'first' })
    expect(paid).toMatchObject({
      status: 'paid',
      amount: '1.5 USDC',
      to: { name: 'The shop', address: shop },
    })
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)

    // The same reference pays nothing more, and another payment under it is refused.
    expect(await call('send_payment', { ...payment, reference: 'first' })).toMatchObject({
      ...{ status: 'paid', userOpHash: paid.userOpHash },
    })
    await expect(call('send_payment', { ...payment, amount: '2', reference: 'first' })).rejects.toThrow(
      'another payment',
    )
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)

    // The allowance is used up. The owner grants while the agent waits.
    const progress: string[] = []
    const waiting = client.callTool(
      { name: 'send_payment', arguments: { ...payment, reference: 'second', waitSeconds: 600 } },
      undefined,
      { onprogress: ({ message = '' }) => void progress.push(message), timeout: 300_000 },
    )
    const more = await call('request_allowance', { ...payment, to: ['The shop'] })
    await approve(wallet, more.link)
    expect((await waiting).structuredContent).toMatchObject({ status: 'paid' })
    expect((await balanceOf(shop)) - before).toBe(3_000_000n)
    expect(progress[0]).toContain('http://localhost:5173/sessions/request#request=')

    expect(await call('get_history')).toMatchObject({
      payments: [
        { reference: 'second', amount: '1.5 USDC', result: 'paid' },
        { reference: 'first', to: { name: 'The shop', address: shop }, result: 'paid' },
      ],
    })
    expect(await call('get_operation', { userOpHash: paid.userOpHash })).toMatchObject({ state: 'included' })
    expect(await call('get_allowances')).toMatchObject({
      sessions: [
        { state: 'active', allowances: [{ left: '0 USDC', to: [{ name: 'The shop', address: shop }] }] },
      ],
    })
  })

  test('behavior: pays only recipients that the owner allowed, even if the chain would', async () => {
    const { agent, purse, wallet } = await createAgent()
    const { call } = await connect({ agent, purse })
    const permissions = [
      { type: 'erc20-token-allowance', token: settlementTokenAddress, allowance: '5000000' },
      { type: 'gas-fee-allowance', allowance: String(parseEther('1')), operations: 20 },
    ]
    const plan = await service.enable(wallet, chainId, agent.signer, permissions)
    expect(await service.approve(wallet, plan)).toMatchObject({ status: 200 })
    const toThirdParty = { ...payment, to: thirdParty, reference: 'a trick' }
    const before = await balanceOf(thirdParty)
    expect(await call('send_payment', toThirdParty)).toMatchObject({ status: 'needs_owner' })
    expect(await balanceOf(thirdParty)).toBe(before)
    expect(await call('send_payment', { ...payment, reference: 'to the shop' })).toMatchObject({
      status: 'paid',
    })
  })

  test('behavior: a payment whose process ended after signing is submitted once, by the next one', async () => {
    const { agent, purse, wallet } = await createAgent()
    const { call } = await connect({ agent, purse })
    const ask = await call('request_allowance', { ...payment, amount: '3', to: ['The shop'] })
    await approve(wallet, ask.link)
    // The first process ends between its record and its submission.
    const dying: Agent = {
      ...agent,
      lanyard: {
        ...agent.lanyard,
        smartAccount: {
          ...agent.lanyard.smartAccount,
          submit: () => Promise.reject(new TypeError('fetch failed')),
        },
      },
    }
    const dead = await connect({ agent: dying, purse })
    const before = await balanceOf(shop)
    expect(await dead.call('send_payment', { ...payment, reference: 'once' })).toMatchObject({
      status: 'pending',
    })
    const both = await Promise.all([
      call('send_payment', { ...payment, reference: 'once' }),
      call('send_payment', { ...payment, reference: 'once' }),
    ])
    expect(both).toContainEqual(expect.objectContaining({ status: 'paid' }))
    for (const { status } of both) expect(status).toMatch(/paid|pending/) // the other one's call may be under way
    expect(await call('send_payment', { ...payment, reference: 'once' })).toMatchObject({ status: 'paid' })
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)
  })

  test.each<[string, Response]>([
    ['500', Response.json({ code: 'INTERNAL', message: 'Something failed.' }, { status: 500 })],
    ['a proxy answers 502', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a proxy answers 413', new Response('too large', { status: 413 })],
    ['409', Response.json({ code: 'REBUILD', message: 'Build it again.' }, { status: 409 })],
  ])('behavior: %s after the service took the payment pays once', async (_, lost) => {
    const { agent, purse, wallet } = await createAgent()
    const { call } = await connect({ agent, purse })
    await approve(
      wallet,
      (await call('request_allowance', { ...payment, amount: '3', to: ['The shop'] })).link,
    )
    const lossy = createLanyardClient({
      baseUrl: service.service.url,
      fetch: async (...args) => {
        const request = new Request(...args)
        const answer = await fetch(request)
        return request.url.endsWith('/submit') ? lost.clone() : answer
      },
    })
    const broken = await connect({ agent: { ...agent, lanyard: lossy }, purse })
    const before = await balanceOf(shop)
    const pay = (with_: typeof call) => with_('send_payment', { ...payment, reference: 'invoice 17' })
    expect(await pay(broken.call)).toMatchObject({ status: 'pending' })
    expect(await pay(broken.call)).toMatchObject({ status: 'paid' })
    expect(await pay(call)).toMatchObject({ status: 'paid' })
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)
  })

  test('behavior: a payment that the service refuses stays bound to its reference, and is sent again', async () => {
    const { agent, purse, wallet } = await createAgent()
    const { call } = await connect({ agent, purse })
    await approve(
      wallet,
      (await call('request_allowance', { ...payment, amount: '3', to: ['The shop'] })).link,
    )
    const keys: (string | null)[] = []
    const refusing = createLanyardClient({
      baseUrl: service.service.url,
      fetch: async (...args) => {
        const request = new Request(...args)
        if (!request.url.endsWith('/submit')) return fetch(request)
        keys.push(request.headers.get('idempotency-key'))
        return Response.json({ code: 'FEE_TOO_LOW', message: 'The fees have risen.' }, { status: 400 })
      },
    })
    const refused = await connect({ agent: { ...agent, lanyard: refusing }, purse })
    const before = await balanceOf(shop)
    const answer = await refused.call('send_payment', { ...payment, reference: 'invoice 18' })
    expect(answer).toMatchObject({ status: 'refused', code: 'FEE_TOO_LOW', why: 'The fees have risen.' })
    expect(keys).toEqual([answer.userOpHash])
    const paid = await call('send_payment', { ...payment, reference: 'invoice 18' })
    expect(paid).toMatchObject({ status: 'paid', userOpHash: answer.userOpHash })
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)
  })

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      'an unknown network',
      'send_payment',
      { ...payment, reference: 'a', network: 5 },
      'There is no network 5',
    ],
    ['an unknown token', 'send_payment', { ...payment, reference: 'a', token: 'DAI' }, 'DAI is not known'],
    ['an unknown contact', 'send_payment', { ...payment, reference: 'a', to: 'Mallory' }, 'no contact'],
    ['too many decimals', 'quote_payment', { ...payment, amount: '0.0000001' }, '6 decimals'],
    ['scientific notation', 'quote_payment', { ...payment, amount: '1e18' }, 'decimal number'],
    [
      'an operation that nobody knows',
      'get_operation',
      { userOpHash: `0x${'11'.repeat(32)}` },
      'UNKNOWN_OPERATION',
    ],
  ])('error: %s', async (_, name, args, message) => {
    const { call } = await connect(await createAgent())
    await expect(call(name, args)).rejects.toThrow(message)
  })

  test('behavior: over HTTP, only with the token, and not for another Host', async () => {
    const { agent, purse } = await createAgent()
    await using server = await serveHttp(agent, { purse, token: 'a secret of this test', port: 0 })
    const connectWith = async (token: string) => {
      const client = new Client({ name: 'a model', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as never)
      return client
    }
    const client = await connectWith('a secret of this test')
    expect(await caller(client)('list_contacts')).toEqual({ contacts: [{ name: 'The shop', address: shop }] })
    const { contents } = await client.readResource({ uri: 'lanyard://documents/agents' })
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('session key'),
    })
    await client.close()
    await expect(connectWith('another secret, or none')).rejects.toThrow('Send the token')
    expect(await statusFor(server.url, 'evil.example')).toBe(403)
  })
})

/** A request as a page on another name sends it after DNS rebinding. fetch would not set Host. */
const statusFor = (url: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host, authorization: 'Bearer a secret of this test' }
    request(url, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })

/** x402's seller and facilitator, as a shop runs them. */
async function startShop(price: bigint, payTo: Address = shop) {
  const api = await startPaidApi({
    ...{ chainId, rpcUrl: service.on(chainId).rpcUrl, price, payTo },
    token: { address: settlementTokenAddress, name: 'USD Coin (local)', version: '2' },
    facilitator: privateKeyToAccount(devAccounts[6]?.privateKey ?? randomPrivateKey()),
  })
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api.url
}

describe('an agent with a purse', () => {
  test('behavior: buys from a seller until its limits end; a thief of the purse gets at most the ceiling', async () => {
    const seller = await startShop(750_000n)
    const { agent, purse, wallet, purseKey } = await createAgent({ sellers: [seller] })
    const { call } = await connect({ agent, purse })
    const buy = (reference: string, more: object = {}) =>
      call('pay_url', { url: `${seller}/weather`, maxAmount: '1', reference, ...more })

    const ask = await buy('day 1')
    expect(ask).toMatchObject({ status: 'needs_owner', price: '0.75 USDC' })
    await approve(wallet, ask.link)
    const before = await balanceOf(shop)
    expect(await buy('day 1')).toMatchObject({
      ...{ status: 'paid', amount: '0.75 USDC', to: { name: 'The shop', address: shop } },
      page: { httpStatus: 200, text: 'It is sunny.' },
    })
    expect((await balanceOf(shop)) - before).toBe(750_000n)
    expect(await call('get_purse')).toMatchObject({
      ...{ holds: '1.25 USDC', ceiling: '2 USDC', sellers: [seller] },
      onChain: { allowances: [{ left: '0 USDC' }] },
      payments: [{ reference: 'day 1', amount: '0.75 USDC', to: { name: 'The shop' }, result: 'paid' }],
    })
    expect(await buy('day 2')).toMatchObject({ status: 'paid' }) // from what the purse holds
    expect(await buy('day 3')).toMatchObject({ status: 'needs_owner' }) // 0.5 are left in the purse
    expect((await balanceOf(shop)) - before).toBe(1_500_000n)
    expect(await balanceOf(purseKey.address)).toBeLessThanOrEqual(2_000_000n)

    await expect(buy('dear', { maxAmount: '0.7' })).rejects.toThrow('It costs 0.75 USDC, more than the limit')
    await expect(buy('elsewhere', { url: 'http://127.0.0.1:1/weather' })).rejects.toThrow(
      'not among the sellers',
    )
    expect(await buy('free', { url: `${seller}/free` })).toMatchObject({
      status: 'free',
      page: { text: 'The weather is at /weather.' },
    })
  })

  test('behavior: a seller earns into a Lanyard account, before its first operation and after', async () => {
    const seller = await service.createFundedWallet([chainId])
    const { chain } = service.on(chainId)
    const url = await startShop(750_000n, seller.address)
    const { agent, purse, wallet } = await createAgent({ sellers: [url] })
    const { call } = await connect({ agent, purse })
    const buy = (reference: string) => call('pay_url', { url: `${url}/weather`, maxAmount: '1', reference })
    await approve(wallet, (await buy('before')).link)
    const before = await balanceOf(seller.address)
    expect(await buy('before')).toMatchObject({ status: 'paid', to: { address: seller.address } })
    expect(await chain.getCode({ address: seller.address })).toBeUndefined()
    expect((await balanceOf(seller.address)) - before).toBe(750_000n)

    const transactionDetails = [{ targetContractAddress: thirdParty, value: '1', encodedData: '0x' }]
    const build = await service.build({
      network: String(chainId),
      walletAddress: seller.address,
      transactionDetails,
    })
    expect(await service.approve(seller, build)).toMatchObject({ status: 200, body: { success: true } })
    expect(await chain.getCode({ address: seller.address })).toBeDefined()
    expect(await buy('after')).toMatchObject({ status: 'paid' })
    expect((await balanceOf(seller.address)) - before).toBe(1_500_000n)
  })

  test('behavior: a purse that is emptied between its refill and the purchase is filled again', async () => {
    const seller = await startShop(750_000n)
    const { agent, purse, wallet, purseKey } = await createAgent({ sellers: [seller] })
    // The first process ends after the refill.
    const dying: Agent = {
      ...agent,
      records: {
        ...agent.records,
        create: (record) =>
          record.reference === 'day 1'
            ? Promise.reject(new TypeError('killed'))
            : agent.records.create(record),
      },
    }
    const purchase = { url: `${seller}/weather`, maxAmount: '1', reference: 'day 1' }
    const dead = await connect({ agent: dying, purse })
    await approve(wallet, (await dead.call('pay_url', purchase)).link)
    await expect(dead.call('pay_url', purchase)).rejects.toThrow()
    const stolen = await balanceOf(purseKey.address)
    expect(stolen).toBe(2_000_000n)
    const take = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [thirdParty, stolen - 1n],
    })
    await service.callAs(chainId, purseKey.address, settlementTokenAddress, take)

    const { call } = await connect({ agent, purse })
    await approve(wallet, (await call('pay_url', purchase)).link)
    expect(await call('pay_url', purchase)).toMatchObject({ status: 'paid', amount: '0.75 USDC' })
  })

  test('behavior: refuses offers by Permit2 and ERC-7710 before the purse is filled, and pays EIP-3009 beside them', async () => {
    const shopUrl = await startShop(750_000n)
    let methods: readonly (string | undefined)[] = [undefined]
    const seller = await startOtherOffers(shopUrl, () => methods)
    const { agent, purse, wallet, purseKey } = await createAgent({ sellers: [seller] })
    const { call } = await connect({ agent, purse })
    const buy = (reference: string) =>
      call('pay_url', { url: `${seller}/weather`, maxAmount: '1', reference })
    // The owner allows payments to the purse, so nothing but the way of payment is in the way.
    await approve(wallet, (await buy('day 1')).link)
    methods = ['permit2', 'erc7710']
    await expect(buy('day 1')).rejects.toThrow('with EIP-3009, which is all that the purse can pay')
    expect(await balanceOf(purseKey.address)).toBe(0n)

    methods = ['permit2', undefined, 'erc7710']
    expect(await buy('day 1')).toMatchObject({ status: 'paid', amount: '0.75 USDC', to: { address: shop } })
  })
})

describe('a seller that takes payments and never delivers', () => {
  test('behavior: holds at most the ceiling, for at most ten minutes', async () => {
    const greedy = await startGreedySeller()
    const { agent, purse, wallet, purseKey } = await createAgent({ sellers: [greedy.url] })
    const { call } = await connect({ agent, purse })
    const buy = (reference: string) =>
      call('pay_url', { url: `${greedy.url}/weather`, maxAmount: '1', reference })
    await approve(wallet, (await buy('try 1')).link)
    expect(await buy('try 1')).toMatchObject({ status: 'undelivered' })
    expect(await buy('try 2')).toMatchObject({ status: 'undelivered' })
    for (const reference of ['try 3', 'try 4', 'try 5', 'try 6'])
      await expect(buy(reference)).rejects.toThrow('1.8 USDC that their sellers can still collect')
    expect(await call('get_purse')).toMatchObject({ signedAndNotCollected: '1.8 USDC' })

    const now = Math.floor(Date.now() / 1000)
    const held = greedy.authorizations()
    expect(held.reduce((sum, { value }) => sum + BigInt(value), 0n)).toBe(1_800_000n)
    for (const { validBefore } of held) expect(Number(validBefore)).toBeLessThanOrEqual(now + 600)
    expect(await balanceOf(purseKey.address)).toBe(2_000_000n)
  })

  test('behavior: two at once do not pass the ceiling together', async () => {
    const greedy = await startGreedySeller({ amount: '1500000', maxTimeoutSeconds: 2 })
    const { agent, purse, wallet } = await createAgent({ sellers: [greedy.url] })
    const buyBy = async (records: Agent['records']) => {
      const { call } = await connect({ agent: { ...agent, records }, purse })
      return (reference: string) =>
        call('pay_url', { url: `${greedy.url}/weather`, maxAmount: '2', reference })
    }
    const buy = await buyBy(agent.records)
    await approve(wallet, (await buy('refill')).link)
    expect(await buy('refill')).toMatchObject({ status: 'undelivered' })
    await greedy.untilExpired()

    greedy.offer({ maxTimeoutSeconds: 600 })
    // Both have read the purse before either is on record.
    let arrived = 0
    const together = await buyBy({
      ...agent.records,
      create: async (record) => {
        arrived++
        await expect.poll(() => arrived).toBe(2)
        return agent.records.create(record)
      },
    })
    await Promise.allSettled([together('one'), together('other')])
    expect(greedy.authorizations().filter(({ isNew }) => isNew).length).toBeLessThanOrEqual(1)
  })

  test('behavior: what expired uncollected is signed anew under the same reference', async () => {
    const greedy = await startGreedySeller({ maxTimeoutSeconds: 2 })
    const { agent, purse, wallet } = await createAgent({ sellers: [greedy.url] })
    const { call } = await connect({ agent, purse })
    const buy = () => call('pay_url', { url: `${greedy.url}/weather`, maxAmount: '1', reference: 'day 1' })
    await approve(wallet, (await buy()).link)
    await buy()
    expect(greedy.authorizations()).toHaveLength(1)
    await greedy.untilExpired()
    await buy()
    expect(greedy.authorizations()).toHaveLength(2)
    // The first one is worthless: the token refuses it after its time.
    expect(greedy.authorizations()[0]?.isNew).toBe(false)
  })
})

interface Authorization {
  readonly nonce: string
  readonly value: string
  readonly validBefore: string
}

/** Asks for a price that holds for ten years, unless told otherwise, keeps what it gets, and answers 500. */
async function startGreedySeller(terms: { amount?: string; maxTimeoutSeconds?: number } = {}) {
  let expired = 0
  const seen = new Map<string, Authorization>()
  let offer = {
    ...{ scheme: 'exact', network: `eip155:${chainId}`, amount: '900000', asset: settlementTokenAddress },
    ...{ payTo: shop, maxTimeoutSeconds: 315_360_000, extra: { name: 'USD Coin (local)', version: '2' } },
    ...terms,
  }
  const server = createServer(({ headers }, response) => {
    const payment = headers['payment-signature']
    if (typeof payment === 'string') {
      const { payload, accepted } = JSON.parse(Buffer.from(payment, 'base64').toString())
      expect(accepted).toEqual(offer)
      seen.set(payload.authorization.nonce, payload.authorization)
      response.writeHead(500).end('It rains.')
      return
    }
    const required = { x402Version: 2, resource: { url: 'http://seller/weather' }, accepts: [offer] }
    response
      .setHeader('payment-required', Buffer.from(JSON.stringify(required)).toString('base64'))
      .writeHead(402)
      .end()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    offer: (changed: typeof terms) => {
      offer = { ...offer, ...changed }
    },
    /** Without repetitions, with whether it came after what has expired. */
    authorizations: () => [...seen.values()].map((one, index) => ({ ...one, isNew: index >= expired })),
    async untilExpired() {
      expired = seen.size
      const last = Math.max(...[...seen.values()].map(({ validBefore }) => Number(validBefore)))
      const { chain } = service.on(chainId)
      await expect
        .poll(async () => Number((await chain.getBlock({ blockTag: 'finalized' })).timestamp))
        .toBeGreaterThanOrEqual(last)
    },
  }
}

/** A seller in front of another one, that asks for the same price in several ways; absent: as the other one does. */
async function startOtherOffers(shopUrl: string, methods: () => readonly (string | undefined)[]) {
  const server = createServer(async ({ url, headers }, response) => {
    const payment = headers['payment-signature']
    const answer = await fetch(`${shopUrl}${url}`, {
      headers: typeof payment === 'string' ? { 'payment-signature': payment } : {},
    })
    for (const name of ['payment-required', 'payment-response']) {
      const value = answer.headers.get(name)
      if (value) response.setHeader(name, name === 'payment-required' ? offerBy(value, methods()) : value)
    }
    response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(await answer.text())
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function offerBy(header: string, methods: readonly (string | undefined)[]): string {
  const required = JSON.parse(Buffer.from(header, 'base64').toString())
  const [offer] = required.accepts
  const accepts = methods.map((assetTransferMethod) =>
    assetTransferMethod === undefined ? offer : { ...offer, extra: { ...offer.extra, assetTransferMethod } },
  )
  return Buffer.from(JSON.stringify({ ...required, accepts })).toString('base64')
}
