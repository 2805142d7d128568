/** @module-tag all */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeSignature, fromWireUserOperation } from '@lanyard/accounts'
import { toRequest } from '@lanyard/bundler'
import { smartBalanceAbi } from '@lanyard/onchain'
import { Webhook } from 'standardwebhooks'
import { encodeFunctionData, getAddress, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listAuditLog } from '../../src/platform/audit/read-audit-log.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { sendRpc } from '../rpc/rpc-client.ts'

const network = 31337
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

interface Asked {
  readonly purpose: string
  readonly network: number
  readonly account: string
  readonly userOpHash?: string
  readonly calls: readonly { readonly to: string; readonly function?: string }[]
  readonly parties: readonly string[]
}

/** The operator's program: it checks the signature, keeps what it was asked, and answers as the test says. */
async function startProgram() {
  const state = {
    asked: [] as Asked[],
    answer: (_asked: Asked): object | 'silence' | number => ({ verdict: 'allow' }),
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = new Webhook(secret).verify(text, request.headers as Record<string, string>) as Asked
    state.asked.push(asked)
    const answer = state.answer(asked)
    if (answer === 'silence') return
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { state, url: `http://127.0.0.1:${port}/screen?key=abc`, close }
}

let program: Awaited<ReturnType<typeof startProgram>>
let service: OrderService
beforeAll(async () => {
  program = await startProgram()
  service = await startOrderService({
    production: true,
    environment: { SCREENING_URL: program.url, SCREENING_SECRET: secret, SCREENING_TIMEOUT: '1' },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  program.close()
})
afterEach(() => {
  program.state.answer = () => ({ verdict: 'allow' })
  program.state.asked = []
})

const deny = (purpose: string) => {
  program.state.answer = (asked) =>
    asked.purpose === purpose
      ? { verdict: 'deny', reason: 'on a list', message: 'Write to compliance@shop.example.' }
      : { verdict: 'allow' }
}

async function funded() {
  const { owner, address } = await service.createWallet()
  await service.on(network).chain.setBalance({ address, value: parseEther('1') })
  return { owner, address }
}

const call = { targetContractAddress: payee, value: '1', encodedData: '0x' }

async function built(address: Hex, transactionDetails: readonly object[] = [call]) {
  const answer = await service.build({ network: String(network), walletAddress: address, transactionDetails })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

const acts = async () =>
  (await listAuditLog(service.database.db, { act: 'screening.', limit: 50 })).map(
    ({ act, subject, after }) => ({
      ...{ act, subject, after },
    }),
  )

describe('before an operation is sent', () => {
  test('default: the program gets calls and parties, decoded, signed; an allowed operation is sent', async () => {
    const { owner, address } = await funded()
    const details = [call, service.transfer(network, payee, 0n)]
    const { messageToSign } = await built(address, details)
    const signature = await sign.personal(owner, messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({ status: 200 })
    expect(program.state.asked).toEqual([
      {
        ...{
          purpose: 'relay',
          network,
          account: getAddress(address),
          userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          caller: expect.any(String),
        },
        caller: expect.any(String),
        calls: [
          { to: getAddress(payee), value: '1', data: '0x' },
          {
            ...{
              to: getAddress(service.on(network).settlementToken.address),
              value: '0',
              data: expect.any(String),
            },
            ...{ function: 'transfer', arguments: [getAddress(payee), '0'] },
          },
        ],
        parties: [getAddress(payee), getAddress(service.on(network).settlementToken.address)],
      },
    ])
    expect((await acts()).filter(({ subject }) => subject === address)).toEqual([])
  })

  test('error: SCREENING_DENIED writes no signature, and the owner sends it again once it is allowed', async () => {
    const { owner, address } = await funded()
    const { messageToSign } = await built(address)
    const signature = await sign.personal(owner, messageToSign)
    deny('relay')
    for (let time = 0; time < 2; time++) {
      expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
        status: 403,
        body: { code: 'SCREENING_DENIED', message: 'Write to compliance@shop.example.' },
      })
    }
    const row = await service.database.db
      .selectFrom('operations')
      .select(['state', 'signature'])
      .where('account', '=', address.toLowerCase())
      .executeTakeFirst()
    expect(row).toEqual({ state: 'built', signature: null })
    // One row of the audit log, however often it is asked for.
    const mine = (await acts()).filter(({ subject }) => subject.toLowerCase() === address.toLowerCase())
    expect(mine).toMatchObject([
      { act: 'screening.deny', after: { purpose: 'relay', network, reason: 'on a list' } },
    ])
    program.state.answer = () => ({ verdict: 'allow' })
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })

  test('error: SCREENING_HELD is 409 with Retry-After', async () => {
    const { owner, address } = await funded()
    const signature = await sign.personal(owner, (await built(address)).messageToSign)
    program.state.answer = () => ({ verdict: 'hold', retryAfter: 90 })
    const response = await fetch(`${service.service.url}/smart-account/transaction/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...service.headers },
      body: JSON.stringify({ walletAddress: address, signature }),
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([409, '90'])
    expect(await response.json()).toMatchObject({ code: 'SCREENING_HELD', retryAfter: 90 })
  })

  test.each([
    ['silence', 'silence'],
    ['a status', 500],
    ['a redirect', 302],
    ['no verdict', { ok: true }],
    ['too much', { verdict: 'allow', reason: 'x'.repeat(20_000) }],
  ] as const)('error: SCREENING_UNAVAILABLE after %s', async (_what, answer) => {
    const { owner, address } = await funded()
    const signature = await sign.personal(owner, (await built(address)).messageToSign)
    program.state.answer = () => answer
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
      status: 503,
      body: { code: 'SCREENING_UNAVAILABLE' },
    })
  })

  test('error: over JSON-RPC, a denied operation leaves no row of it', async () => {
    const { owner, address } = await funded()
    const { userOp, messageToSign, validUntil = 0 } = await built(address)
    const { db } = service.database
    await db.deleteFrom('operations').where('account', '=', address.toLowerCase()).execute()
    const read = fromWireUserOperation(userOp)
    if (!read.ok) throw new Error(read.message)
    const signature = encodeSignature({
      ...{ validAfter: 0, validUntil: Number(validUntil) },
      signatures: await sign.personal(owner, messageToSign),
    })
    deny('relay')
    const answer = await sendRpc(
      `${service.service.url}/rpc/${network}`,
      toRequest({ ...read.operation, signature }),
      service.headers,
    )
    expect(answer).toMatchObject({ error: { data: { code: 'SCREENING_DENIED' } } })
    const rows = await db
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', address.toLowerCase())
      .execute()
    expect(rows).toEqual([])
  })
})

describe('before the service pays and lends', () => {
  test('error: SCREENING_DENIED for a sponsored build: the operator signs nothing', async () => {
    const { address } = await service.createWallet()
    deny('sponsor')
    const request = {
      network: String(network),
      walletAddress: address,
      transactionDetails: [{ ...call, value: '0' }],
    }
    expect(await service.build({ ...request, paymasterData: 'sponsored' })).toMatchObject({
      status: 403,
      body: { code: 'SCREENING_DENIED' },
    })
    expect(program.state.asked.map(({ purpose }) => purpose)).toEqual(['sponsor'])
    // An estimate pays for nothing, and forms ask for one at each key that is pressed.
    expect(
      await service.rest.post('/smart-account/transaction/gas-fees', {
        ...request,
        paymasterData: 'sponsored',
      }),
    ).toMatchObject({
      status: 200,
    })
    expect(program.state.asked).toHaveLength(1)
  })

  test('error: SCREENING_DENIED for an order: nothing is reserved', async () => {
    const { address } = await service.createFunded([31337, 31338])
    deny('lend')
    const answer = await service.build({
      network: String(network),
      walletAddress: address,
      transactionDetails: [service.transfer(network, payee, 1_000_000n)],
      orderData: { amount: '1000000' },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'SCREENING_DENIED' } })
    const orders = await service.database.db
      .selectFrom('orders')
      .select('state')
      .where('account', '=', address.toLowerCase())
      .execute()
    expect(orders).toEqual([])
  })
})

test('behavior: while the program is away, or gives each answer another reason, strangers do not fill the audit log', async () => {
  const count = async (act: string) => (await acts()).filter((one) => one.act === act).length
  const before = { unanswered: await count('screening.unanswered'), deny: await count('screening.deny') }
  program.state.answer = () => 500
  for (let account = 0; account < 2; account++) {
    const { owner, address } = await funded()
    const signature = await sign.personal(owner, (await built(address)).messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({ status: 503 })
  }
  // Earlier tests of this file have written the row of these ten minutes.
  expect((await count('screening.unanswered')) - before.unanswered).toBeLessThanOrEqual(1)
  const { owner, address } = await funded()
  const signature = await sign.personal(owner, (await built(address)).messageToSign)
  for (let time = 0; time < 3; time++) {
    program.state.answer = () => ({ verdict: 'deny', reason: `at ${time}` })
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({ status: 403 })
  }
  expect((await count('screening.deny')) - before.deny).toBe(1)
})

test('behavior: an exit is not asked about; an exit with another call is', async () => {
  const { owner, address } = await service.createFunded([network])
  await service.on(network).chain.setBalance({ address, value: parseEther('1') })
  const exit = {
    ...{ targetContractAddress: service.on(network).smartBalance, value: '0' },
    encodedData: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'requestExit', args: [1n] }),
  }
  deny('relay')
  const alone = await built(address, [exit])
  expect(
    await service.submit({
      walletAddress: address,
      signature: await sign.personal(owner, alone.messageToSign),
    }),
  ).toMatchObject({ status: 200, body: { success: true } })
  expect(program.state.asked).toEqual([])
  const both = await built(address, [exit, call])
  const signature = await sign.personal(owner, both.messageToSign)
  expect(await service.submit({ walletAddress: address, signature })).toMatchObject({ status: 403 })
})

test('args: SCREENING_FAILURE=allow goes on without an answer, and the audit log says so', async () => {
  await using other = await service.start({ SCREENING_FAILURE: 'allow' })
  const { owner, address } = await funded()
  const signature = await sign.personal(owner, (await built(address)).messageToSign)
  program.state.answer = () => 'silence'
  const response = await fetch(`${other.url}/smart-account/transaction/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...service.headers },
    body: JSON.stringify({ walletAddress: address, signature }),
  })
  expect(response.status).toBe(200)
  const mine = (await acts()).filter(({ subject }) => subject.toLowerCase() === address.toLowerCase())
  expect(mine).toMatchObject([{ act: 'screening.allow-unanswered' }])
})
