import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLanyardClient } from './client.ts'

interface Received {
  readonly request: IncomingMessage
  readonly body: string
}

/** A server that records requests and always returns the same answer. */
async function startServer(status: number, answer: string) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ request, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('default', async () => {
  await using server = await startServer(200, '{"networks":[]}')
  const { networks } = await createLanyardClient(server).system.networks()
  expect(networks).toEqual([])
  const [{ request, body } = { request: undefined, body: undefined }] = server.received
  expect([request?.method, request?.url, body]).toEqual(['GET', '/networks', ''])
})

test('behavior: each input is sent where its endpoint reads it', async () => {
  await using server = await startServer(200, '{}')
  const response = { attestationObject: 'AA', clientDataJSON: 'AA' }
  await createLanyardClient(server).webauthn.registerVerify({
    username: 'a&b',
    id: 'AA',
    rawId: 'AA',
    response,
  })
  const [{ request, body } = { request: undefined, body: '' }] = server.received
  expect(request?.url).toBe('/v3/webauthn/register/verify?username=a%26b')
  expect(JSON.parse(body)).toEqual({ id: 'AA', rawId: 'AA', response })
})

test('args: apiKey, appId, token, headers', async () => {
  await using server = await startServer(200, '{"networks":[]}')
  const client = createLanyardClient({
    ...server,
    apiKey: 'the-key',
    appId: 'com.example.wallet',
    token: () => 'the-token',
  })
  await client.system.networks({}, { headers: { 'x-request-id': 'mine' } })
  expect(server.received[0]?.request.headers).toMatchObject({
    'x-api-key': 'the-key',
    'x-app-id': 'com.example.wallet',
    authorization: 'Bearer the-token',
    'x-request-id': 'mine',
  })
})

test('args: signal', async () => {
  await using server = await startServer(200, '{}')
  const sent = createLanyardClient(server).system.networks({}, { signal: AbortSignal.abort() })
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})

test("error: rejects with the service's error", async () => {
  const answer = { code: 'INSUFFICIENT_FUNDS', message: 'Not enough', requestId: 'r1', missing: '12' }
  await using server = await startServer(400, JSON.stringify(answer))
  await expect(createLanyardClient(server).user.details({ username: 'a' })).rejects.toMatchObject({
    name: 'LanyardApiError',
    status: 400,
    code: 'INSUFFICIENT_FUNDS',
    message: 'Not enough',
    requestId: 'r1',
    details: { missing: '12' },
  })
})

test('error: an answer that does not come from the service', async () => {
  await using server = await startServer(502, '<html>Bad gateway</html>')
  await expect(createLanyardClient(server).system.networks()).rejects.toMatchObject({
    status: 502,
    code: 'INTERNAL',
  })
})

test('error: no answer', async () => {
  const client = createLanyardClient({ baseUrl: 'http://127.0.0.1:1' })
  await expect(client.system.networks()).rejects.toBeInstanceOf(TypeError)
})
