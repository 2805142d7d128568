// @promise 4
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNetworks, type Network, networkConfig } from './index.ts'

let node: Awaited<ReturnType<typeof startNode>>
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node.stop())

const config = (rpcUrls: string[], more: object = {}) =>
  networkConfig.parse({ chainId: 31337, name: 'Test', rpcUrls, rpcTimeout: 2_000, ...more })
const networkAt = (rpcUrls: string[], more?: object): Network =>
  createNetworks([config(rpcUrls, more)]).get(31337)

/** A misbehaving RPC endpoint. It replaces real providers, which tests cannot break. */
async function startFaultyRpc(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const blockNumber = (network: Network) => network.call((client) => client.getBlockNumber())
const nobody = 'http://127.0.0.1:9' // the discard port: nothing listens

describe('registry', () => {
  test('error: UNKNOWN_NETWORK lists the configured networks', () => {
    expect(() => createNetworks([config([nobody])]).get(1)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_NETWORK', details: { configured: [31337] } }),
    )
  })
})

describe('call', () => {
  test('default', async () => {
    expect(await blockNumber(networkAt([node.rpcUrl]))).toBeTypeOf('bigint')
  })

  test('behavior: calls the next RPC if the first does not answer', async () => {
    expect(await blockNumber(networkAt([nobody, node.rpcUrl]))).toBeTypeOf('bigint')
  })

  test('behavior: an RPC of another chain is rejected', async () => {
    await using other = await startNode({ chainId: 31338 })
    expect(await networkAt([other.rpcUrl, node.rpcUrl]).call((client) => client.getChainId())).toBe(31337)
    await expect(blockNumber(networkAt([other.rpcUrl]))).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
  })

  test('error: NETWORK_UNAVAILABLE if nothing listens', async () => {
    await expect(blockNumber(networkAt([nobody]))).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  })

  test('error: NETWORK_UNAVAILABLE if the RPC never answers', async () => {
    await using rpc = await startFaultyRpc(() => {})
    await expect(blockNumber(networkAt([rpc.url]))).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  })

  test('error: NETWORK_UNAVAILABLE if the answer is incomplete', async () => {
    await using rpc = await startFaultyRpc((_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"jsonrpc"')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(blockNumber(networkAt([rpc.url]))).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  })

  test('behavior: an error message names the network, and never its address', async () => {
    const error = await blockNumber(networkAt([nobody])).catch((error: Error) => error)
    expect(String(error)).toContain('Test')
    expect(String(error)).not.toContain('127.0.0.1')
  })
})

describe('fees', () => {
  test('default: the cap is twice the base fee plus the tip', async () => {
    const fees = await networkAt([node.rpcUrl]).fees()
    expect(fees.maxFeePerGas).toBe(2n * fees.baseFeePerGas + fees.maxPriorityFeePerGas)
    expect(fees.maxPriorityFeePerGas).toBeGreaterThan(0n)
  })

  test('behavior: concurrent callers share one request', async () => {
    await using proxy = await startRpcProxy(node.rpcUrl)
    const network = networkAt([proxy.url])
    await network.assertChain()
    proxy.take()
    await Promise.all([network.fees(), network.fees()])
    expect(proxy.take().requests).toBe(1)
  })

  test('behavior: they reach the least tip that is configured, or that a node has named lately', async () => {
    let time = 0
    const config = { ...networkAt([node.rpcUrl]).config, minPriorityFeePerGas: '2000000000' }
    const network = createNetworks([config], () => time).get(config.chainId)
    const before = await network.fees()
    expect(before).toMatchObject({ minTip: 2_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n })
    network.learnLeastTip(3_000_000_000n, 'named')
    network.learnLeastTip(100_000_000_001n, 'named') // above the highest tip that is offered
    expect(await network.fees()).toMatchObject({
      minTip: 3_000_000_000n,
      maxPriorityFeePerGas: 3_000_000_000n,
      maxFeePerGas: before.maxFeePerGas + 1_000_000_000n,
    })
    time += 600_000
    expect(await network.fees()).toMatchObject({ minTip: 2_000_000_000n })
  })

  test('attack: a node that lies about tips costs the highest configured tip at most', async () => {
    await using proxy = await startRpcProxy(node.rpcUrl)
    const config = { ...networkAt([proxy.url]).config, maxPriorityFeePerGas: '5000000000' }
    const network = createNetworks([config]).get(config.chainId)
    const lie = `0x${(3_000_000_000_000n).toString(16)}`
    proxy.set({
      methods: ['eth_feeHistory'],
      fault: {
        kind: 'lie',
        change: (history) => ({ ...(history as object), reward: [[lie], [lie], [lie]] }),
      },
    })
    const { baseFeePerGas, ...fees } = await network.fees()
    expect(fees).toEqual({
      minTip: BigInt(config.minPriorityFeePerGas),
      maxPriorityFeePerGas: 5_000_000_000n,
      maxFeePerGas: 2n * baseFeePerGas + 5_000_000_000n,
    })
    for (const source of ['named', 'guessed'] as const) network.learnLeastTip(3_000_000_000_000n, source)
    expect((await network.fees()).minTip).toBe(BigInt(config.minPriorityFeePerGas))
    // A minimum above it, which the operator configured, still counts.
    const dear = createNetworks([{ ...config, minPriorityFeePerGas: '7000000000' }]).get(config.chainId)
    expect((await dear.fees()).maxPriorityFeePerGas).toBe(7_000_000_000n)
  })
})

describe('finalizedBlock', () => {
  test('args: confirmations', async () => {
    const network = networkAt([node.rpcUrl], { finality: { confirmations: 2 } })
    const head = await blockNumber(network)
    expect(await network.finalizedBlock()).toBeGreaterThanOrEqual(head > 2n ? head - 2n : 0n)
  })

  test('args: tag', async () => {
    const network = networkAt([node.rpcUrl])
    expect(await network.finalizedBlock()).toBeLessThanOrEqual(await blockNumber(network))
  })
})

describe('hasP256Precompile', () => {
  test('default', async () => expect(await networkAt([node.rpcUrl]).hasP256Precompile()).toBe(true))
  test('behavior: a chain before Osaka has none', async () => {
    await using old = await startNode({ hardfork: 'prague' })
    expect(await networkAt([old.rpcUrl]).hasP256Precompile()).toBe(false)
  })
})

describe('health', () => {
  test('default', async () => expect(await networkAt([node.rpcUrl]).health()).toMatchObject({ status: 'up' }))
  test('behavior: down', async () =>
    expect(await networkAt([nobody]).health()).toEqual({ status: 'down', block: null }))
})
