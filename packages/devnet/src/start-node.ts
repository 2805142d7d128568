import { type RunningNetwork, type StartDevnetOptions, startDevnet } from './start-devnet.ts'

export interface StartNodeOptions extends Omit<StartDevnetOptions, 'chainIds'> {
  /** Default 31337. */
  readonly chainId?: number
}

/** One local network for a test suite. */
export interface DevnetNode extends RunningNetwork, AsyncDisposable {
  stop(): Promise<void>
}

/**
 * Starts a separate local network, because suites that share a chain disturb each other.
 *
 * @example
 * await using node = await startNode({ hardfork: 'prague' })
 * const client = createPublicClient({ transport: http(node.rpcUrl) })
 *
 * @throws DevnetError as {@link startDevnet}
 */
export async function startNode({ chainId = 31337, ...options }: StartNodeOptions = {}): Promise<DevnetNode> {
  const { networks, stop } = await startDevnet({ ...options, chainIds: [chainId] })
  const [network] = networks
  if (!network) throw new TypeError('startDevnet returns one network per chain id')
  return { ...network, stop, [Symbol.asyncDispose]: stop }
}
