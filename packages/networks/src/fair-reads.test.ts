// @promise 24 C.8
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createNetworks,
  createRequestQueue,
  type Network,
  networkConfig,
  type RpcCaller,
  withReservedShare,
} from './index.ts'

interface RpcBody {
  readonly id: number
  readonly method: string
  readonly params: readonly [{ readonly data?: string }?]
}

interface Held {
  readonly names: readonly string[]
  readonly answer: () => void
}

/** Milliseconds that the node works on an expensive simulation. The queue compares times, and a node without any is never slow. */
const expensiveTime = 15

/**
 * A node with one worker: it takes one HTTP request after the other, and answers when the test says so. A call's data
 * names who sent it.
 */
async function startSlowNode() {
  const held: Held[] = []
  const ran: string[] = []
  const arrivals = new Map<string, PromiseWithResolvers<void>>()
  const arrivalOf = (name: string) => {
    const arrival = arrivals.get(name) ?? Promise.withResolvers<void>()
    arrivals.set(name, arrival)
    return arrival
  }
  let arrived = Promise.withResolvers<void>()
  const resultOf = ({ method }: RpcBody) => (method === 'eth_chainId' ? '0x7a69' : '0x01')
  function answer(response: ServerResponse, calls: readonly RpcBody[], isBatch: boolean) {
    const answers = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call) }))
    response.end(JSON.stringify(isBatch ? answers : answers[0]))
  }
  const nameOf = ({ params: [call] }: RpcBody) => Buffer.from(call?.data?.slice(2) ?? '', 'hex').toString()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const parsed: RpcBody | readonly RpcBody[] = JSON.parse(Buffer.concat(chunks).toString())
    const calls = [parsed].flat() as readonly RpcBody[] // JSON-RPC
    const names = calls.filter(({ method }) => method === 'eth_call').map(nameOf)
    if (names.length === 0) return answer(response, calls, Array.isArray(parsed))
    held.push({ names, answer: () => answer(response, calls, Array.isArray(parsed)) })
    for (const name of names) arrivalOf(name).resolve()
    arrived.resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    /** Who was answered, in order. */
    ran,
    /** Resolves once a request of this name is there, answered or not. */
    arrivalOf: (name: string) => arrivalOf(name).promise,
    /** Answers so many requests, each when it is there. */
    async run(count: number) {
      for (let left = count; left > 0; left--) {
        while (held.length === 0) await arrived.promise
        const next = held.shift()
        if (held.length === 0) arrived = Promise.withResolvers()
        await delay(next?.names.includes('expensive') ? expensiveTime : 1)
        ran.push(...(next?.names ?? []))
        next?.answer()
      }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const callers = new AsyncLocalStorage<RpcCaller>()

let node: Awaited<ReturnType<typeof startSlowNode>>
let network: Network
const waits: string[] = []

/** More than the queue sends at once to a node that needs a moment for each. */
const few = 6

beforeEach(async () => {
  node = await startSlowNode()
  const config = networkConfig.parse({
    chainId: 31337,
    name: 'Slow',
    rpcUrls: [node.url],
    rpcTimeout: 60_000,
  })
  const networks = createNetworks([config], () => 0, {
    callerOf: () => callers.getStore(),
    waited: (_, kind) => waits.push(kind),
  })
  network = networks.get(31337)
  await network.assertChain()
  waits.length = 0
  settled = 0
})
afterEach(() => node[Symbol.asyncDispose]())

const to = `0x${'11'.repeat(20)}` as const
/** Calls whose answers have reached their callers. */
let settled = 0
const call = (name: string, gas?: bigint) =>
  network
    .call((client) =>
      client.call({ to, data: `0x${Buffer.from(name).toString('hex')}`, ...(gas && { gas }) }),
    )
    .finally(() => settled++)
const as = <T>(group: string, cost: number | undefined, work: () => Promise<T>) =>
  callers.run({ call: {}, path: [group], cost }, work)

/** Four calls of each group, as many as one address may have open. What still waits at the end of a test is left alone. */
function attack(): void {
  for (let index = 0; index < 64 * 4; index++)
    as(`attacker ${index % 64}`, 6, () => call('expensive', 12_500_000n)).catch(() => {})
}

/** How many requests the node ran before each of these names, until all of them are answered. */
async function runUntil(names: readonly string[], answered: Promise<unknown>): Promise<number[]> {
  const before = node.ran.length
  let isAnswered = false
  const end = answered.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    // A call that was refused ends the run: nothing may follow it at the node.
    await Promise.race([node.run(1), end])
    // The queue sends the next one when it hears of an answer. A node that ran on meanwhile would count what is on its way.
    // A request that was sent again, because its connection closed, has one answer too many.
    const enough = performance.now() + 1_000
    while (settled < node.ran.length && performance.now() < enough) await setImmediate()
  }
  return names.map((name) => node.ran.indexOf(name, before) - before)
}

describe('64 groups whose expensive simulations a slow node runs one by one', () => {
  test('behavior: the node gets few at once, and an ordinary caller waits for no more than these', async () => {
    attack()
    await node.run(20)
    const [ahead] = await runUntil(
      ['ordinary'],
      as('ordinary', 1, () => call('ordinary', 500_000n)),
    )
    // Without a queue of their own, 90 are at the node already.
    expect(ahead).toBeLessThanOrEqual(few)
    expect(network.load.active).toBeLessThanOrEqual(few)
    expect(network.load.waiting).toBeGreaterThan(200)
  })

  test("behavior: each of an ordinary caller's simulations passes those that wait", async () => {
    attack()
    await node.run(20)
    for (let count = 0; count < 4; count++) {
      const name = `ordinary ${count}`
      const [ahead] = await runUntil(
        [name],
        as('ordinary', 1, () => call(name, 500_000n)),
      )
      expect(ahead).toBeLessThanOrEqual(few)
    }
  })

  test('behavior: a newcomer is next, as long as the node stops it soon, and no claim of gas passes', async () => {
    attack()
    await node.run(20)
    const claim = as('known as cheap', 0.1, () => call('claim', 12_500_000n))
    const newcomer = as('newcomer', undefined, () => call('newcomer', 500_000n))
    const [ahead] = await runUntil(['newcomer'], newcomer)
    expect(ahead).toBeLessThanOrEqual(few)
    await node.run(20)
    expect(node.ran).toContain('claim')
    await claim
  })

  test('behavior: whoever stops waiting leaves the queue, and its simulation is never sent', async () => {
    const queue = createRequestQueue({ concurrency: 10, capacity: 10, timeout: 50 })
    const held = Promise.withResolvers<void>()
    const caller = { call: {}, path: ['one'], cost: 6 }
    const sent: string[] = []
    const ask = (name: string) =>
      queue.run(
        async () => {
          sent.push(name)
          await held.promise
        },
        { kind: 'costly', caller },
      )
    const first = ask('first')
    await expect(ask('second')).rejects.toMatchObject({ name: 'QueueTimeoutError', isSent: false })
    expect(queue.waiting).toBe(0)
    held.resolve()
    await first
    expect(sent).toEqual(['first'])
  })

  test('behavior: reads do not wait for simulations, and signed operations and the service go first', async () => {
    attack()
    await node.run(20)
    const begun = node.ran.length
    const read = as('attacker 1', 6, () => call('read'))
    const signed = withReservedShare(() => call('signed', 500_000n))
    const own = call('own', 500_000n)
    // It is at the node before the node has answered anything else.
    await node.arrivalOf('read')
    expect(node.ran).toHaveLength(begun)
    expect(waits).not.toContain('read')
    const ahead = await runUntil(['signed', 'own'], Promise.all([read, signed, own]))
    expect(Math.max(...ahead)).toBeLessThanOrEqual(few)
  })
})
