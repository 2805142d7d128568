// @promise 11
import type { AppRouter } from '@lanyard/client/trpc'
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, TRPCClientError } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type HttpService, postJson, serveApp, startHttpService } from '../../../test/http-service.ts'

let service: HttpService
let url: string
beforeAll(async () => {
  service = await startHttpService()
  url = service.url
})
afterAll(() => service[Symbol.asyncDispose]())

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const connect = () => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] })

test('default: a tRPC client calls mutations and queries', async () => {
  const client = connect()
  const { wallet, username } = await client.smartAccount.create.mutate({ eoaAddress: owner })
  const [details, health] = await Promise.all([
    client.user.details.query({ username }),
    client.system.health.query(),
  ])
  expect(details.wallet.scw_address).toBe(wallet.scw_address)
  expect(health.status).toBe('ok')
})

test("error: the error's data equals the REST error body", async () => {
  const failure = await connect()
    .user.details.query({ username: 'nobody' })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TRPCClientError)
  expect(failure).toMatchObject({
    data: { code: 'UNKNOWN_USER', httpStatus: 404, requestId: expect.any(String) },
  })
})

test('behavior: a batch is streamed to a client that asks for it', async () => {
  const types: (string | null)[] = []
  const link = httpBatchStreamLink({
    url: `${url}/trpc`,
    fetch: async (input, init) => {
      const response = await fetch(input, init as RequestInit) // its types are those of every platform
      types.push(response.headers.get('content-type'))
      return response
    },
  })
  const client = createTRPCClient<AppRouter>({ links: [link] })
  const [health, failure] = await Promise.all([
    client.system.health.query(),
    client.user.details.query({ username: 'nobody' }).catch((error: unknown) => error),
  ])
  expect(health.status).toBe('ok')
  expect(failure).toMatchObject({ data: { code: 'UNKNOWN_USER', httpStatus: 404 } })
  expect(types).toEqual(['application/jsonl'])
})

test('error: INVALID_INPUT names every malformed field', async () => {
  const { status, body } = await postJson(`${url}/trpc/smartAccount.create`, { eoaAddress: '0x1' })
  expect(status).toBe(400)
  expect(body.error.data).toMatchObject({ code: 'INVALID_INPUT', issues: [{ path: 'eoaAddress' }] })
})

test('error: INVALID_JSON for a malformed body', async () => {
  const { status, body } = await postJson(`${url}/trpc/smartAccount.create`, '{')
  expect({ status, code: body.error.data.code }).toEqual({ status: 400, code: 'INVALID_JSON' })
})

test.each(['nothing', 'user', 'user.details.more', '__proto__', 'user.constructor'])(
  'error: UNKNOWN_ROUTE for %s',
  async (path) => {
    const { status, body } = await ask(`${url}/trpc/${path}`)
    expect({ status, code: body.error.data.code }).toEqual({ status: 404, code: 'UNKNOWN_ROUTE' })
  },
)

test('error: METHOD_NOT_ALLOWED for GET of a mutation', async () => {
  const { status, body } = await ask(`${url}/trpc/smartAccount.create?input=%7B%7D`)
  expect({ status, code: body.error.data.code }).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' })
})

test('error: PAYLOAD_TOO_LARGE above what the endpoint declares', async () => {
  const { status, body } = await postJson(`${url}/trpc/smartAccount.create`, {
    eoaAddress: owner,
    x: 'a'.repeat(32 * 1024),
  })
  expect({ status, code: body.error.data.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
})

test('error: UNSUPPORTED_MEDIA_TYPE, so forms of other sites cannot post', async () => {
  const { status } = await postJson(
    `${url}/trpc/smartAccount.create`,
    { eoaAddress: owner },
    { 'content-type': 'text/plain' },
  )
  expect(status).toBe(415)
})

test('behavior: input that is nested too deeply is refused', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const { status } = await postJson(
    `${url}/trpc/smartAccount.submit`,
    `{"eoaAddress":"${owner}","x":${deep}}`,
  )
  expect(status).toBe(400)
})

test('behavior: a batch has at most ten calls; eleven are rejected before any of them runs', async () => {
  const batch = (size: number) => {
    const paths = Array.from({ length: size }, () => 'user.checkUsername').join(',')
    const inputs = Object.fromEntries(
      Array.from({ length: size }, (_, index) => [index, { username: 'alice' }]),
    )
    return ask(`${url}/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`)
  }
  const ten = await batch(10)
  expect({ status: ten.status, answers: ten.body.length }).toEqual({ status: 200, answers: 10 })
  expect((await batch(11)).status).toBe(400)
})

// Regression of trpc/trpc#7153: comma-batched paths cost work before any context exists.
test('behavior: a path with ten thousand commas causes no work', async () => {
  const { services } = service.service
  const counted: number[] = []
  await using app = await serveApp({
    ...services,
    // A request is counted before keys, bodies or tRPC's context are processed.
    project: {
      ...services.project,
      limits: Object.assign(
        async (_caller: unknown, { calls }: { calls: number }) => {
          counted.push(calls)
          return []
        },
        { charge: () => expect.unreachable(), refund: () => expect.unreachable() },
      ),
    },
  })
  for (const path of [','.repeat(10_000), '%2C'.repeat(5_000), `system.health${',a'.repeat(10)}`]) {
    const { status, body } = await ask(`${app.url}/trpc/${path}?batch=1`)
    expect([status, body.error.data.code]).toEqual([400, 'INVALID_INPUT'])
  }
  expect(counted).toEqual([])
  await ask(`${app.url}/trpc/${'a,'.repeat(9)}a?batch=1`)
  expect(counted).toEqual([10])
})
