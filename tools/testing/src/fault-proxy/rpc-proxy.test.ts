import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  absurdFees,
  absurdGas,
  futureBlock,
  noLogs,
  otherReceipt,
  otherStatus,
  type RpcProxy,
  type RpcRequest,
  type RpcRule,
  staleBlock,
  startRpcProxy,
  wrongChain,
} from './index.ts'

const word = (value: number) => value.toString(16).padStart(64, '0')

const answers: Record<string, unknown> = {
  eth_chainId: '0x7a69',
  eth_blockNumber: '0x10',
  eth_getBlockByNumber: { number: '0x10', hash: '0xaa' },
  eth_getTransactionReceipt: { transactionHash: '0x1', status: '0x1' },
  eth_feeHistory: { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x2'], reward: [['0x3'], ['0x4']] },
  eth_gasPrice: '0x5',
  eth_getLogs: [{ address: '0x1' }],
  eth_estimateGas: '0x5208',
  eth_call: `0x${word(1)}${word(2)}${word(3)}`,
}

/** A node that knows a few answers. */
const node = createServer(async (request, response) => {
  const requested = (await json(request)) as RpcRequest | RpcRequest[] // sent by this file
  const answer = ({ id, method }: RpcRequest) => ({ jsonrpc: '2.0', id, result: answers[method] ?? null })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(Array.isArray(requested) ? requested.map(answer) : answer(requested)))
})
let proxy: RpcProxy
beforeAll(async () => {
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  const address = node.address()
  proxy = await startRpcProxy(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  node.close()
})
beforeEach(() => {
  proxy.set()
  proxy.take()
})

const post = (body: unknown, signal?: AbortSignal) =>
  fetch(proxy.url, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) })

async function ask(method: string, ...params: unknown[]): Promise<unknown> {
  const response = await post({ jsonrpc: '2.0', id: 1, method, params })
  // a response of the node above
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  return error ?? result
}

test('default: forwards single requests and batches, and counts them', async () => {
  expect(await ask('eth_chainId')).toBe('0x7a69')
  const batch = await post([
    { id: 7, method: 'eth_chainId' },
    { id: 8, method: 'eth_blockNumber' },
  ])
  expect(await batch.json()).toMatchObject([
    { id: 7, result: '0x7a69' },
    { id: 8, result: '0x10' },
  ])
  expect(proxy.take()).toEqual({ trips: 2, requests: 3, calls: 0 })
  expect(proxy.take()).toEqual({ trips: 0, requests: 0, calls: 0 })
})

describe('faults of a round trip', () => {
  test('args: delay', async () => {
    proxy.set({ fault: { kind: 'delay', milliseconds: 60 } })
    const began = performance.now()
    await ask('eth_chainId')
    expect(performance.now() - began).toBeGreaterThan(55)
  })

  test('args: silence', async () => {
    proxy.set({ fault: { kind: 'silence' } })
    await expect(post({ id: 1, method: 'eth_chainId' }, AbortSignal.timeout(80))).rejects.toThrow('timeout')
  })

  test('args: cut', async () => {
    proxy.set({ fault: { kind: 'cut' } })
    await expect(ask('eth_chainId')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  test('args: truncate', async () => {
    proxy.set({ fault: { kind: 'truncate', bytes: 5 } })
    await expect(ask('eth_chainId')).rejects.toThrow('terminated')
  })

  test('args: stall', async () => {
    proxy.set({ fault: { kind: 'stall', bytes: 5 } })
    const stop = new AbortController()
    const response = await post({ id: 1, method: 'eth_chainId' }, stop.signal)
    expect(response.status).toBe(200)
    setTimeout(() => stop.abort(), 80)
    await expect(response.text()).rejects.toThrow('aborted')
  })

  test('args: http', async () => {
    proxy.set({ fault: { kind: 'http', status: 429, body: '<p>slow down', headers: { 'retry-after': '1' } } })
    const response = await post({ id: 1, method: 'eth_chainId' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await response.text()).toBe('<p>slow down')
  })
})

describe('faults of an answer', () => {
  test('args: methods; only their answers change, including in a batch', async () => {
    proxy.set({ methods: ['eth_blockNumber'], fault: { kind: 'null' } })
    const response = await post([
      { id: 1, method: 'eth_chainId' },
      { id: 2, method: 'eth_blockNumber' },
    ])
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x7a69' },
      { jsonrpc: '2.0', id: 2, result: null },
    ])
  })

  test('args: omit', async () => {
    proxy.set({ methods: ['eth_blockNumber'], fault: { kind: 'omit' } })
    const response = await post([
      { id: 1, method: 'eth_chainId' },
      { id: 2, method: 'eth_blockNumber' },
    ])
    expect(await response.json()).toMatchObject([{ id: 1 }])
  })

  test('args: times', async () => {
    proxy.set({ times: 2, fault: { kind: 'null' } })
    expect([await ask('eth_chainId'), await ask('eth_chainId'), await ask('eth_chainId')]).toEqual([
      null,
      null,
      '0x7a69',
    ])
  })

  test('args: error', async () => {
    proxy.set({ fault: { kind: 'error', code: -32000, message: 'no' } })
    expect(await ask('eth_chainId')).toEqual({ code: -32000, message: 'no' })
  })
})

describe('lies', () => {
  const hash = `0x${'77'.repeat(32)}`
  const cases: readonly [string, RpcRule, readonly unknown[], unknown][] = [
    ['wrongChain', wrongChain(1), ['eth_chainId'], '0x1'],
    ['otherReceipt', otherReceipt(), ['eth_getTransactionReceipt'], { transactionHash: hash, status: '0x1' }],
    ['otherStatus', otherStatus(), ['eth_getTransactionReceipt'], { transactionHash: '0x1', status: '0x0' }],
    [
      'absurdFees',
      absurdFees(255n),
      ['eth_feeHistory'],
      { baseFeePerGas: ['0xff', '0xff'], reward: [['0xff'], ['0xff']], oldestBlock: '0x1' },
    ],
    ['absurdFees', absurdFees(255n), ['eth_gasPrice'], '0xff'],
    ['absurdGas', absurdGas(255n, []), ['eth_estimateGas'], '0xff'],
    [
      'absurdGas',
      absurdGas(255n, [1, 2, 3]),
      ['eth_call', {}, 'latest', {}],
      `0x${word(1)}${word(255)}${word(255)}`,
    ],
    ['absurdGas', absurdGas(255n, [0]), ['eth_call', {}, 'latest'], answers.eth_call],
    ['staleBlock', staleBlock(3n), ['eth_blockNumber'], '0x3'],
    ['futureBlock', futureBlock(255n), ['eth_blockNumber'], '0xff'],
    ['futureBlock', futureBlock(255n), ['eth_getBlockByNumber', 'latest'], { number: '0xff', hash: '0xaa' }],
    ['futureBlock', futureBlock(255n), ['eth_getBlockByNumber', '0x10'], { number: '0x10', hash: '0xaa' }],
    ['noLogs', noLogs(), ['eth_getLogs'], []],
  ]
  test.each(cases)('args: %s', async (_name, rule, [method, ...params], expected) => {
    proxy.set(rule)
    expect(await ask(String(method), ...params)).toEqual(expected)
  })
})
