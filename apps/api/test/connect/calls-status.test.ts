import { concat, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'

const origin = 'https://dapp.example'
const key = 'a-secret-of-32-characters-xxxxxx'
let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({
    environment: { API_KEYS: `server:${key}` },
    headers: { 'x-api-key': key },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Sends a request as a page of any origin does: without a key. */
async function ask(id: string, init: RequestInit = {}) {
  const url = `${service.service.url}/connect/calls-status?id=${id}`
  const response = await fetch(url, { ...init, headers: { origin, ...init.headers } })
  const text = await response.text()
  return { response, body: text === '' ? undefined : JSON.parse(text) }
}

const bundleId = (userOpHash: Hex, chainId = 31337) =>
  concat([userOpHash, numberToHex(chainId, { size: 32 })])

test('default: a page of any origin can read the status of its calls without a key', async () => {
  const user = await service.register('connected')
  const { body: sent } = await service.send(user, transfer())
  const id = bundleId(sent.userOpHash)
  const { response, body } = await ask(id.toUpperCase().replace('0X', '0x'))
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBe(null)
  expect(body).toEqual({
    version: '2.0.0',
    id,
    chainId: '0x7a69',
    atomic: true,
    status: 200,
    receipts: [
      {
        logs: expect.any(Array),
        status: '0x1',
        blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        blockNumber: expect.stringMatching(/^0x/),
        gasUsed: expect.stringMatching(/^0x/),
        transactionHash: sent.txnHash,
      },
    ],
  })
  for (const log of body.receipts[0].logs)
    expect(Object.keys(log).sort()).toEqual(['address', 'data', 'topics'])
  expect(await ask(bundleId(sent.userOpHash, 1))).toMatchObject({ body: { rpcCode: 5730 } })
})

test('behavior: an unsigned build is unknown, like a bundle that was never sent', async () => {
  const user = await service.register('builder')
  const { username } = user
  await service.transactionOptions({ username, network: '31337', transactionDetails: transfer() })
  const built = await service.database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('state', '=', 'built')
    .executeTakeFirstOrThrow()
  for (const hash of [built.user_op_hash as Hex, `0x${'11'.repeat(32)}`] as const) {
    const { response, body } = await ask(bundleId(hash))
    expect([response.status, body.code, body.rpcCode]).toEqual([404, 'UNKNOWN_OPERATION', 5730])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('error: an id of another length is malformed', async () => {
  for (const id of ['', '0x', `0x${'11'.repeat(32)}`, `0x${'zz'.repeat(64)}`]) {
    const { response, body } = await ask(id)
    expect([response.status, body.code]).toEqual([400, 'INVALID_INPUT'])
  }
})

test('behavior: only this endpoint answers a CORS preflight of any origin', async () => {
  const headers = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'content-type' }
  const { response } = await ask(`0x${'11'.repeat(64)}`, { method: 'OPTIONS', headers })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  const other = await fetch(`${service.service.url}/networks`, {
    method: 'OPTIONS',
    headers: { origin, ...headers },
  })
  expect(other.headers.get('access-control-allow-origin')).toBe(null)
})
