// @promise 2
import { setTimeout as delay } from 'node:timers/promises'
import { statusOf } from '@lanyard/contracts'
import { reportPassed } from '@lanyard/testing/report-passed'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { takesIdempotencyKey } from '../../src/pipeline/idempotency/key-format.ts'
import { endpointList, findEndpoint } from '../../src/platform/endpoint-list.ts'
import { ask, askUntilDone, postJson } from '../http-service.ts'
import { type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'
import { mutations } from './mutations.ts'
import { createWallet, nextName } from './wallets.ts'

let service: PasskeyService
let url: string
beforeAll(async () => {
  service = await startPasskeyService({ smartBalance: true })
  url = service.service.url
})
afterAll(() => service[Symbol.asyncDispose]())

let keys = 0
const nextKey = () => ({ 'idempotency-key': `key-${keys++}` })
const bearer = (token?: string): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})

const buildPath = '/smart-account/transaction/build'
const buildRequest = (walletAddress: string, value = '1') => ({
  network: '31337',
  walletAddress,
  transactionDetails: transfer(value),
})
const builds = async (address: string) =>
  (
    await service.database
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', address.toLowerCase())
      .execute()
  ).length

/** Sends each field of an input where its endpoint expects it. */
function overRest(name: string, input: object, headers: Record<string, string>) {
  const { path, query } = findEndpoint(name) ?? expect.unreachable(name)
  const entries = Object.entries(input)
  const isQuery = ([member]: [string, unknown]) => query !== undefined && member in query.shape
  const parameters = new URLSearchParams(entries.filter(isQuery))
  const body = Object.fromEntries(entries.filter((entry) => !isQuery(entry)))
  return postJson(`${url}${path}?${parameters}`, body, headers)
}
const overTrpc = (name: string, input: object, headers: Record<string, string>) =>
  postJson(`${url}/trpc/${name}`, input, headers)

reportPassed(2, 'mutations answered once over both transports', (title) =>
  title.endsWith('on either transport'),
)

describe('every mutation', () => {
  test('behavior: the table contains every endpoint that takes a key', () => {
    const keyed = endpointList.filter(({ declaration }) => takesIdempotencyKey(declaration))
    expect(mutations.map(({ name }) => name).sort()).toEqual(keyed.map(({ name }) => name).sort())
  })

  test("behavior: no answer with a user's token is stored", () => {
    const withToken = endpointList.filter(
      ({ declaration: { output } }) => output instanceof z.ZodObject && 'token' in output.shape,
    )
    expect(withToken.length).toBeGreaterThan(3)
    const stored = withToken.filter(({ declaration }) => takesIdempotencyKey(declaration))
    expect(stored.map(({ name }) => name)).toEqual(['wallet.faucet']) // here a token is an amount
  })

  test.each(mutations)('behavior: $name is answered once on either transport', async (mutation) => {
    const { name, request, lasting = true } = mutation
    const { input, other, token } = await request(service)
    const headers = { ...nextKey(), ...bearer(token) }
    const first = await overRest(name, input, headers)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(first.status < 300).toBe(lasting)

    const again = await overRest(name, input, headers)
    expect(again.status).toBe(first.status)
    expect(again.headers.get('idempotency-replayed')).toBe(lasting ? 'true' : null)
    if (lasting) expect(again.text).toBe(first.text)

    const trpc = await overTrpc(name, input, headers)
    expect(trpc.headers.get('idempotency-replayed')).toBe(lasting ? 'true' : null)
    if (lasting) expect(trpc.body.result.data).toEqual(first.body)

    const status = statusOf('IDEMPOTENCY_MISMATCH', findEndpoint(name))
    const mismatch = await overRest(name, { ...input, ...other }, headers)
    expect([mismatch.status, mismatch.body.code]).toEqual([status, 'IDEMPOTENCY_MISMATCH'])
    const trpcMismatch = await overTrpc(name, { ...input, ...other }, headers)
    expect([trpcMismatch.status, trpcMismatch.body.error.data.code]).toEqual([status, 'IDEMPOTENCY_MISMATCH'])
  })
})

describe('duplicates', () => {
  test('behavior: ten concurrent builds make one operation, and all get the same answer', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        askUntilDone(() =>
          index % 2 === 0
            ? postJson(url + buildPath, buildRequest(address), headers)
            : overTrpc('smartAccount.build', buildRequest(address), headers),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const operations = answers.map(({ body }) => JSON.stringify(body.result?.data ?? body))
    expect(new Set(operations).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect(await builds(address)).toBe(1)
  })

  test('behavior: builds without a key or with different keys are separate', async () => {
    const { owner, address } = await createWallet(service)
    const { body } = await postJson(url + buildPath, buildRequest(address))
    const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
    await overRest('smartAccount.submit', { walletAddress: address, signature }, {})
    for (const headers of [{}, {}, nextKey(), nextKey()]) {
      expect((await postJson(url + buildPath, buildRequest(address), headers)).status).toBe(200)
    }
    expect(await builds(address)).toBe(5)
  })

  test('behavior: an equivalent request gets the same answer', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    await postJson(url + buildPath, buildRequest(address), headers)
    const equivalent = { ...buildRequest(address.toLowerCase()), network: 31337 }
    const again = await postJson(url + buildPath, equivalent, headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('behavior: the same key of another caller is independent', async () => {
    const { address } = await createWallet(service)
    const { token } = await service.register(nextName())
    const headers = nextKey()
    const mine = await postJson(`${url}/wallet/faucet`, { walletAddress: address, network: '31337' }, headers)
    const theirs = await postJson(
      `${url}/wallet/faucet`,
      { walletAddress: address, network: '31337' },
      { ...headers, ...bearer(token) },
    )
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.headers.get('idempotency-replayed')).toBeNull()
    expect(theirs.text).not.toBe(mine.text)
  })

  test('behavior: without credentials, the same key for another wallet is independent', async () => {
    const [mine, theirs] = [await createWallet(service), await createWallet(service)]
    const headers = nextKey()
    for (const { address } of [mine, theirs]) {
      const answer = await postJson(url + buildPath, buildRequest(address), headers)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect(await builds(address)).toBe(1)
    }
  })

  test.each([
    ['smartAccount.build', buildRequest],
    // The interface fixes the statuses of this endpoint, but this error comes before any handler.
    [
      'smartBalance.computeSolution',
      (walletAddress: string) => ({ walletAddress, outputNetwork: 31337, amount: '1' }),
    ],
  ])('error: REQUEST_IN_PROGRESS while %s runs, over both transports', async (name, request) => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    const input = request(address)
    await overRest(name, input, headers)
    await service.database
      .updateTable('idempotency_keys')
      .set({ state: 'running', answer: null, claim_expires_at: new Date(Date.now() + 60_000) })
      .where('key', '=', headers['idempotency-key'])
      .execute()
    const rest = await overRest(name, input, headers)
    const trpc = await overTrpc(name, input, headers)
    const error = { code: 'REQUEST_IN_PROGRESS', retryAfter: 1 }
    expect(rest).toMatchObject({ status: 409, body: error })
    expect(trpc).toMatchObject({ status: 409, body: { error: { data: error } } })
    for (const { headers: answered } of [rest, trpc]) expect(answered.get('retry-after')).toBe('1')
  })

  test('behavior: a retry takes over the claim of a dead process', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    await postJson(url + buildPath, buildRequest(address), headers)
    await service.database
      .updateTable('idempotency_keys')
      .set({ state: 'running', answer: null, claim_expires_at: new Date(Date.now() + 3_000) })
      .where('key', '=', headers['idempotency-key'])
      .execute()
    const retry = () => postJson(url + buildPath, buildRequest(address), headers)
    expect((await retry()).status).toBe(409)
    expect((await askUntilDone(retry)).status).toBe(200)
  })

  test('behavior: a build that loses its claim while it runs is rolled back', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    const stealClaim = async () => {
      for (;;) {
        const stolen = await service.database
          .updateTable('idempotency_keys')
          .set({ claim: '00000000-0000-4000-8000-000000000000', state: 'finished', answer: stolenAnswer })
          .where('key', '=', headers['idempotency-key'])
          .where('state', '=', 'running')
          .returning('key')
          .executeTakeFirst()
        if (stolen) return
        await delay(1)
      }
    }
    const [answer] = await Promise.all([
      postJson(url + buildPath, buildRequest(address), headers),
      stealClaim(),
    ])
    expect(answer.body).toMatchObject({ code: 'NOT_REPLACEABLE', requestId: 'another' })
    expect(await builds(address)).toBe(0)
  })
})

const stolenAnswer = JSON.stringify({
  error: {
    code: 'NOT_REPLACEABLE',
    message: 'The answer of another request.',
    details: {},
    requestId: 'another',
  },
})

describe('error answers', () => {
  test('behavior: a permanent error is replayed byte for byte', async () => {
    const { address } = await createWallet(service)
    await postJson(url + buildPath, buildRequest(address))
    const compact = { walletAddress: address, signature: `0x${'11'.repeat(64)}` }
    const headers = nextKey()
    const first = await overRest('smartAccount.submit', compact, headers)
    expect(first.body.code).toBe('SIGNATURE_COMPACT')
    const again = await overRest('smartAccount.submit', compact, headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([again.status, again.text]).toEqual([first.status, first.text])
  })

  test('behavior: a temporary error is not replayed', async () => {
    const { address } = await createWallet(service, { balance: '0' })
    const headers = nextKey()
    const failed = await postJson(url + buildPath, buildRequest(address), headers)
    expect(failed.body.code).toBe('INSUFFICIENT_FUNDS')
    await service.chain.setBalance({ address, value: parseEther('1') })
    const succeeded = await postJson(url + buildPath, buildRequest(address), headers)
    expect([succeeded.status, succeeded.headers.get('idempotency-replayed')]).toEqual([200, null])
  })

  test('behavior: malformed input does not use up the key', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    expect((await postJson(url + buildPath, { network: '31337' }, headers)).status).toBe(400)
    expect((await postJson(url + buildPath, buildRequest(address), headers)).status).toBe(200)
  })
})

describe('the header', () => {
  test.each([
    ['a key with a space', 'a b'],
    ['an empty key', ''],
    ['256 characters', 'a'.repeat(256)],
    ['a key that is not ASCII', 'é'],
  ])('error: INVALID_INPUT for %s', async (_name, key) => {
    const { address } = await createWallet(service)
    const headers = { 'idempotency-key': key }
    const rest = await postJson(url + buildPath, buildRequest(address), headers)
    const trpc = await overTrpc('smartAccount.build', buildRequest(address), headers)
    for (const body of [rest.body, trpc.body.error.data]) {
      expect(body).toMatchObject({ code: 'INVALID_INPUT', issues: [{ path: 'Idempotency-Key' }] })
    }
    expect(await builds(address)).toBe(0)
  })

  test('args: 255 visible characters', async () => {
    const { address } = await createWallet(service)
    const headers = { 'idempotency-key': `"~!${'a'.repeat(252)}` }
    expect((await postJson(url + buildPath, buildRequest(address), headers)).status).toBe(200)
  })

  test('behavior: endpoints that only read ignore it', async () => {
    const headers = { 'idempotency-key': 'not a key' }
    expect((await ask(`${url}/networks`, { headers })).status).toBe(200)
    expect((await ask(`${url}/trpc/system.networks`, { headers })).status).toBe(200)
    const path = 'system.networks,system.health?batch=1&input=%7B%7D'
    expect((await ask(`${url}/trpc/${path}`, { headers })).status).toBe(200)
  })

  test('behavior: a batch of one call may have a key, and a batch of two is rejected and runs neither call', async () => {
    const { address } = await createWallet(service)
    const headers = nextKey()
    const one = await postJson(
      `${url}/trpc/smartAccount.build?batch=1`,
      { 0: buildRequest(address) },
      headers,
    )
    expect(one.status).toBe(200)
    const two = await postJson(
      `${url}/trpc/smartAccount.build,smartAccount.build?batch=1`,
      { 0: buildRequest(address, '2'), 1: buildRequest(address, '3') },
      headers,
    )
    expect(two.status).toBe(400)
    expect(two.text).toContain('Idempotency-Key')
    expect(await builds(address)).toBe(1)
  })

  test('behavior: ceremonies accept a key, and a challenge is still valid for only one answer', async () => {
    const { username, passkey } = await service.register(nextName())
    const { body } = await service.authenticateOptions(username)
    const assertion = passkey.get(body.passkeyAuthenticationOptions)
    const headers = nextKey()
    const [first, again] = [
      await overRest('webauthn.authenticateVerify', { username, ...assertion }, headers),
      await overRest('webauthn.authenticateVerify', { username, ...assertion }, headers),
    ]
    expect([first.status, again.status, again.body.code]).toEqual([200, 400, 'VERIFICATION_FAILED'])
    const stored = await service.database
      .selectFrom('idempotency_keys')
      .select('key')
      .where('key', '=', headers['idempotency-key'])
      .execute()
    expect(stored).toEqual([])
  })
})
