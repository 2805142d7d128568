import { type DevnetNode, localTransport, startNode } from '@lanyard/devnet'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { createTestClient } from 'viem'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createNetworks, networkConfig } from '../src/index.ts'

/** A local node with 300 blocks for all tests of a file, and a proxy in front of it that fails as a test says. */
export function useProxiedNode() {
  let node: DevnetNode
  let running: RpcProxy
  beforeAll(async () => {
    node = await startNode()
    running = await startRpcProxy(node.rpcUrl)
    await createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) }).mine({ blocks: 300 })
  })
  afterEach(() => running.set())
  afterAll(async () => {
    await running[Symbol.asyncDispose]()
    await node.stop()
  })
  const proxy: Pick<RpcProxy, 'url' | 'set' | 'take'> = {
    get url() {
      return running.url
    },
    set: (...rules) => running.set(...rules),
    take: () => running.take(),
  }
  return {
    get rpcUrl() {
      return node.rpcUrl
    },
    proxy,
    /** Networks of this node alone, through the proxy unless `fields` says otherwise, and what they report. */
    start(fields: object = {}, now = () => 0) {
      const events: object[] = []
      const own = { chainId: 31337, name: 'Test', rpcUrls: [proxy.url], rpcTimeout: 60_000 }
      const networks = createNetworks([networkConfig.parse({ ...own, ...fields })], now, {
        circuitChanged: (_, change) => void events.push(change),
        rateLimited: (_, limit) => void events.push(limit),
      })
      return { network: networks.get(31337), events }
    },
  }
}
