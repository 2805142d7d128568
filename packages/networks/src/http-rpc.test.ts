import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createClient } from 'viem'
import { expect, test } from 'vitest'
import { createLearnedLimit } from './endpoint-state.ts'
import { type HttpRpcOptions, httpRpc } from './http-rpc.ts'

const limit = (maximum = 50) => createLearnedLimit(maximum, Date.now)

async function serve(
  listener: RequestListener,
  options: HttpRpcOptions = { batch: limit(), timeout: 5_000 },
) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening server has a port
  const client = createClient({ transport: httpRpc(`http://user:secret@127.0.0.1:${port}/rpc`, options) })
  return {
    port,
    ask: (method: string, params?: readonly unknown[]) => client.request({ method, params } as never), // not one of viem's methods
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Requested {
  readonly id: number
  readonly method: string
}

/** A node's answer to a request or a batch. */
const answerTo = (requested: Requested | Requested[], answer: (one: Requested) => object): string =>
  JSON.stringify(Array.isArray(requested) ? requested.toReversed().map(answer) : answer(requested))

async function bodyOf(request: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

test('default: sends requests of one event-loop turn as one batch, over one connection', async () => {
  const batches: number[] = []
  const sockets = new Set<unknown>()
  await using server = await serve(async (request, response) => {
    sockets.add(request.socket)
    const requested: Requested | Requested[] = await bodyOf(request)
    batches.push([requested].flat().length)
    // In reverse order: responses are matched by id.
    response.end(answerTo(requested, ({ id, method }) => ({ id, result: method })))
  })
  expect(await Promise.all(['a', 'b', 'c'].map((method) => server.ask(method)))).toEqual(['a', 'b', 'c'])
  expect(await server.ask('d')).toBe('d')
  expect(batches).toEqual([3, 1])
  expect(sockets.size).toBe(1)
})

test('behavior: nobody waits for what another caller simulates', async () => {
  const batches: string[][] = []
  let caller = 'alice'
  await using server = await serve(
    async (request, response) => {
      const requested: Requested | Requested[] = await bodyOf(request)
      batches.push([requested].flat().map(({ method }) => method))
      response.end(answerTo(requested, ({ id, method }) => ({ id, result: method })))
    },
    { batch: limit(), timeout: 5_000, callerOf: () => caller },
  )
  const requests = (): Promise<unknown>[] => [
    server.ask('eth_getBalance'),
    server.ask('eth_call', [{ to: '0x01' }, 'latest']),
    server.ask('eth_call', [{ to: '0x01', gas: '0x1' }, 'latest']),
    server.ask('eth_call', [{ data: '0x01' }, 'latest']),
    server.ask('eth_call', [{ to: '0x01' }, 'latest', {}]),
    server.ask('eth_estimateGas', [{}]),
  ]
  await Promise.all(requests())
  expect(batches.splice(0).map(({ length }) => length)).toEqual([6])
  const both = requests()
  caller = 'bob'
  both.push(server.ask('eth_getBalance'))
  await Promise.all(both)
  expect(batches.toSorted((one, other) => other.length - one.length)).toEqual([
    ['eth_getBalance', 'eth_call', 'eth_getBalance'],
    ...[['eth_call'], ['eth_call'], ['eth_call'], ['eth_estimateGas']],
  ])
})

test('behavior: splits a batch that nodes would reject as too long', async () => {
  const batches: string[] = []
  await using server = await serve(async (request, response) => {
    const requested: Requested | Requested[] = await bodyOf(request)
    batches.push(
      [requested]
        .flat()
        .map(({ method }) => method)
        .join(''),
    )
    response.end(answerTo(requested, ({ id, method }) => ({ id, result: method })))
  })
  const lengths = { a: 400_000, b: 400_000, c: 400_000, d: 1_500_000, e: 1 }
  const asking = Object.entries(lengths).map(([method, length]) => server.ask(method, ['x'.repeat(length)]))
  expect(await Promise.all(asking)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(batches.toSorted()).toEqual(['ab', 'c', 'd', 'e'])
})

test('error: shows the parameters of short requests only', async () => {
  await using server = await serve(async (request, response) => {
    const requested: Requested | Requested[] = await bodyOf(request)
    response.end(answerTo(requested, ({ id }) => ({ id, error: { code: 3, message: 'no' } })))
  })
  await expect(server.ask('a', ['short'])).rejects.toThrow('short')
  await expect(server.ask('a', ['long'.repeat(1_000)])).rejects.toThrow(/"method":"a"(?!.*longlong)/s)
})

test('args: batch absent, and credentials in the URL', async () => {
  await using server = await serve(
    async (request, response) => {
      const { id } = await bodyOf(request)
      response.end(JSON.stringify({ id, result: request.headers.authorization }))
    },
    { timeout: 5_000 },
  )
  expect(await server.ask('a')).toBe(`Basic ${Buffer.from('user:secret').toString('base64')}`)
})

test('error: a redirect is not followed', async () => {
  let requested = 0
  await using server = await serve((_request, response) => {
    requested++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await expect(server.ask('a')).rejects.toMatchObject({ name: 'HttpRequestError', status: 307 })
  expect(requested).toBe(1)
})

test('error: an incomplete or overlong answer', async () => {
  await using endless = await serve(
    (_request, response) => {
      response.write('[')
    },
    { batch: limit(), timeout: 200 },
  )
  await expect(endless.ask('a')).rejects.toMatchObject({ name: 'TimeoutError' })
  await using large = await serve((_request, response) => {
    response.end(Buffer.alloc(11 * 1024 * 1024, ' '))
  })
  await expect(large.ask('a')).rejects.toMatchObject({ details: 'The answer is too large' })
})

/** A node in a thread of its own: it answers while this one does nothing. */
const nodeElsewhere = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: 'answered' }))
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('behavior: an answer that arrived while the event loop was blocked is in time', async () => {
  const node = new Worker(nodeElsewhere, { eval: true })
  try {
    const [port] = await once(node, 'message')
    const client = createClient({ transport: httpRpc(`http://127.0.0.1:${port}`, { timeout: 500 }) })
    const answer = client.request({ method: 'eth_chainId' })
    await delay(0) // it is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    expect(await answer).toBe('answered')
  } finally {
    await node.terminate()
  }
})
