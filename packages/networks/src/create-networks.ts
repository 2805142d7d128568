import { LanyardError } from '@lanyard/contracts'
import { createPublicClient, defineChain, type PublicClient } from 'viem'
import { chainTransport } from './chain-transport.ts'
import type { NetworkConfig } from './config.ts'
import { readFees } from './fees.ts'
import type { Network, NetworkHealth } from './network.ts'
import { readHasP256Precompile } from './p256-precompile.ts'
import { toNetworkError } from './rpc-errors.ts'
import { sharedFor } from './shared-for.ts'

/** The configured networks. */
export interface Networks {
  /** @throws UNKNOWN_NETWORK, naming those that are configured. */
  get(chainId: number): Network
  list(): readonly Network[]
}

/** Bound of a health check, milliseconds. */
const healthTimeout = 2_000

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

function createNetwork(config: NetworkConfig, now: () => number): Network {
  const client: PublicClient = createPublicClient({
    chain: defineChain({
      id: config.chainId,
      name: config.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: config.rpcUrls } },
      contracts: { multicall3: { address: multicall3 } },
    }),
    transport: chainTransport(config),
    pollingInterval: config.pollingInterval,
    cacheTime: 0, // a head from the cache would hide the block that we wait for
  })

  const call = async <T>(use: (client: PublicClient) => Promise<T>): Promise<T> => {
    try {
      return await use(client)
    } catch (error) {
      throw toNetworkError(error, config.name)
    }
  }

  const finalizedBlock = () =>
    call(async (client) => {
      if ('tag' in config.finality) {
        const block = await client.getBlock({ blockTag: config.finality.tag })
        return block.number
      }
      const head = await client.getBlockNumber()
      const confirmations = BigInt(config.finality.confirmations)
      return head > confirmations ? head - confirmations : 0n
    })

  let precompile: Promise<boolean> | undefined
  const hasP256Precompile = () => {
    precompile ??= call(readHasP256Precompile).catch((error) => {
      precompile = undefined
      throw error
    })
    return precompile
  }

  const health = async (): Promise<NetworkHealth> => {
    const timeout = Promise.withResolvers<null>()
    const timer = setTimeout(() => timeout.resolve(null), healthTimeout)
    try {
      const block = await Promise.race([call((client) => client.getBlockNumber()), timeout.promise])
      return { status: block === null ? 'down' : 'up', block }
    } catch {
      return { status: 'down', block: null }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    chainId: config.chainId,
    config,
    client,
    call,
    fees: sharedFor(config.pollingInterval, () => call(readFees), now),
    finalizedBlock,
    hasP256Precompile,
    health,
  }
}

/**
 * Makes the registry of networks from validated configuration. Nothing is asked of any chain yet.
 *
 * @param now - the clock, milliseconds; decides how long fees are shared.
 */
export function createNetworks(configs: readonly NetworkConfig[], now: () => number = Date.now): Networks {
  const networks = new Map(configs.map((config) => [config.chainId, createNetwork(config, now)]))
  return {
    get(chainId) {
      const network = networks.get(chainId)
      if (network) return network
      throw new LanyardError('UNKNOWN_NETWORK', {
        message: `Network ${chainId} is not configured here. Configured: ${[...networks.keys()].join(', ')}.`,
        details: { configured: [...networks.keys()] },
      })
    },
    list: () => [...networks.values()],
  }
}
