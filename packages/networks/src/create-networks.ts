import { LanyardError } from '@lanyard/contracts'
import { createPublicClient, defineChain, type PublicClient } from 'viem'
import { chainTransport } from './chain-transport.ts'
import type { NetworkConfig } from './config.ts'
import { createEndpoint, type Endpoint, type RateLimit } from './endpoint.ts'
import type { CircuitChange } from './endpoint-state.ts'
import { listFeeTokens, readTokenRate, type TokenRate } from './fee-tokens.ts'
import { createLeastTip, maxTip, readFees, withLeastTip } from './fees.ts'
import { readFinalizedBlock } from './finalized-block.ts'
import { asL1FeeError, higherL1Fee, readL1Fee } from './l1-fee.ts'
import { nativePriceLifetime, readNativePrice } from './native-price.ts'
import type { Fees, Network, NetworkHealth } from './network.ts'
import { createQuorum, type UnconfirmedReason } from './quorum.ts'
import { type RequestKind, type RpcCaller, sharedSerially } from './request-queue.ts'
import { toNetworkError, wrongChain } from './rpc-errors.ts'
import { rpcOrigins } from './rpc-origins.ts'
import { startTimeLimit } from './time-limit.ts'

/** The configured networks. */
export interface Networks {
  /** @throws UNKNOWN_NETWORK, naming the configured ones. */
  get(chainId: number): Network
  list(): readonly Network[]
}

/** Time-out of a health check, milliseconds. */
const healthTimeout = 2_000

/** Callbacks for failures, for logs and metrics. */
export interface NetworkObserver {
  /**
   * Called if a network did not respond, or its response was unusable: with the error's code, or with the
   * provider's reason if it is known (`details.reason`).
   */
  readonly failed?: (chainId: number, reason: string) => void
  /** Called when an RPC endpoint (the first is 1) is paused or used again. */
  readonly circuitChanged?: (chainId: number, change: CircuitChange & { readonly endpoint: number }) => void
  /** Called when an RPC endpoint (the first is 1) limits the number of requests, once for each pause. */
  readonly rateLimited?: (chainId: number, limit: RateLimit & { readonly endpoint: number }) => void
  /** Called if RPCs of different origin did not confirm each other. */
  readonly unconfirmed?: (chainId: number, reason: UnconfirmedReason, origins: readonly string[]) => void
  /** Returns who waits for a request; undefined for the service itself. Callers share each endpoint by group. */
  readonly callerOf?: () => RpcCaller | undefined
  /** Called when a request has waited because an endpoint was busy, before it is sent or rejected. */
  readonly waited?: (chainId: number, kind: RequestKind, milliseconds: number) => void
}

const isNetworkFailure = ({ code }: LanyardError) =>
  code === 'NETWORK_UNAVAILABLE' || code === 'NETWORK_FAILED'

/** Multicall3, which has the same address on every network (mds1/multicall). */
export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

function createNetwork(config: NetworkConfig, now: () => number, observer: NetworkObserver): Network {
  const [endpoints, senders] = [config.rpcUrls, config.sendRpcUrls].map((urls, list) =>
    urls.map((url, index) => {
      // Addresses for sending are counted after those for reading.
      const endpoint = list * config.rpcUrls.length + index + 1
      return createEndpoint(url, config, {
        now,
        circuitChanged: (change) => observer.circuitChanged?.(config.chainId, { ...change, endpoint }),
        rateLimited: (limit) => observer.rateLimited?.(config.chainId, { ...limit, endpoint }),
        callerOf: () => observer.callerOf?.(),
        waited: (kind, milliseconds) => observer.waited?.(config.chainId, kind, milliseconds),
      })
    }),
  ) as [Endpoint[], Endpoint[]] // one list for each
  const chain = defineChain({
    id: config.chainId,
    name: config.name,
    nativeCurrency: config.nativeCurrency,
    rpcUrls: { default: { http: config.rpcUrls } },
    contracts: { multicall3: { address: multicall3 } },
  })
  const clientOf = (some: readonly Endpoint[]): PublicClient =>
    createPublicClient({
      chain,
      transport: chainTransport(some, config, senders),
      pollingInterval: config.pollingInterval,
      cacheTime: 0, // a cached head would hide the block that we wait for
    })
  const client = clientOf(endpoints)

  const callWith = async <T>(some: PublicClient, use: (client: PublicClient) => Promise<T>): Promise<T> => {
    try {
      return await use(some)
    } catch (error) {
      const failure = toNetworkError(error, config.name)
      if (failure instanceof LanyardError && isNetworkFailure(failure))
        observer.failed?.(config.chainId, String(failure.details?.reason ?? failure.code))
      throw failure
    }
  }
  const call = <T>(use: (client: PublicClient) => Promise<T>): Promise<T> => callWith(client, use)

  const origins = rpcOrigins(config)
  const quorum = createQuorum({
    config,
    witnesses: [...new Set(origins)].map((origin) => ({
      origin,
      client: clientOf(endpoints.filter((_, index) => origins[index] === origin)),
    })),
    call: callWith,
    unconfirmed: (reason, among) => observer.unconfirmed?.(config.chainId, reason, among),
  })

  /** Milliseconds until the first endpoint takes requests again; 0: one does now. */
  const rateLimit = () => Math.min(...endpoints.map(({ limits }) => limits.rateLimited))

  const minTip = createLeastTip(BigInt(config.minPriorityFeePerGas), maxTip(config), now)
  let lastFees: Omit<Fees, 'minTip'> | undefined
  const askFees = async () => {
    lastFees = await call((client) => readFees(client, config))
    return lastFees
  }
  const sharedFees = sharedFor(config.pollingInterval, askFees, now)

  const assertChain = () =>
    call(async (client) => {
      const actual = await client.getChainId()
      if (actual !== config.chainId) throw wrongChain(config.chainId, actual)
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
    const endLimit = startTimeLimit(healthTimeout, () => timeout.resolve(null))
    try {
      const block = await Promise.race([call((client) => client.getBlockNumber()), timeout.promise])
      return { status: block === null && rateLimit() === 0 ? 'down' : 'up', block }
    } catch {
      // A provider that limits requests answers: this is no outage.
      return { status: rateLimit() === 0 ? 'down' : 'up', block: null }
    } finally {
      endLimit()
    }
  }

  return {
    chainId: config.chainId,
    config,
    client,
    call,
    quorum,
    head: sharedSerially(() => call((client) => client.getBlock())),
    fees: async () => withLeastTip(await sharedFees(), minTip.current),
    get lastFees() {
      return lastFees && withLeastTip(lastFees, minTip.current)
    },
    learnLeastTip: minTip.learn,
    assertChain,
    finalizedBlock: () => call((client) => readFinalizedBlock(client, config)),
    hasP256Precompile,
    nativePrice: sharedFor(
      nativePriceLifetime,
      async () => {
        const { number } = config.nativePrice?.kind === 'chainlink' ? await quorum.head() : {}
        return quorum.agree((one) => readNativePrice(one, config, now, number))
      },
      now,
    ),
    feeTokens: listFeeTokens(config).map(({ nativePrice, ...token }) => ({
      ...token,
      rate: sharedFor(
        nativePriceLifetime,
        async () => {
          const { number } = nativePrice.kind === 'chainlink' ? await quorum.head() : {}
          const read = (one: PublicClient) =>
            readTokenRate(
              one,
              { name: config.name, source: nativePrice, decimals: token.decimals },
              now,
              number,
            )
          let last: TokenRate | undefined
          await quorum.agree(async (one) => {
            last = await read(one)
            return `${last.rate} ${last.at}`
          })
          return last as TokenRate // they agree
        },
        now,
        failedRateLifetime,
      ),
    })),
    l1Fee: (transaction) =>
      quorum
        .approximately((one) => readL1Fee(one, config, transaction), higherL1Fee)
        .catch(asL1FeeError(config)),
    health,
    get circuit() {
      return endpoints.every(({ circuit }) => circuit.isOpen) ? ('open' as const) : ('closed' as const)
    },
    get rateLimit() {
      return rateLimit()
    },
    limits: endpoints.map(({ limits }) => limits),
    get load() {
      const sum = (of: 'active' | 'waiting') => endpoints.reduce((total, { queue }) => total + queue[of], 0)
      return { active: sum('active'), waiting: sum('waiting') }
    },
  }
}

/**
 * Creates the registry of networks from validated configuration. It makes no request yet.
 *
 * @param now - the clock, milliseconds; determines how long fees are shared and failed endpoints paused.
 */
export function createNetworks(
  configs: readonly NetworkConfig[],
  now: () => number = Date.now,
  observer: NetworkObserver = {},
): Networks {
  const networks = new Map(configs.map((config) => [config.chainId, createNetwork(config, now, observer)]))
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

/** Milliseconds. Callers read rates as often as they like, and a source that is down is asked by no more than one a second. */
const failedRateLifetime = 1_000

/**
 * Shares one result among all callers for `milliseconds`: concurrent callers get the same promise. A failure
 * is shared for `failedFor` from the request on, and by callers that already wait for it.
 */
function sharedFor<T>(
  milliseconds: number,
  ask: () => Promise<T>,
  now: () => number,
  failedFor = 0,
): () => Promise<T> {
  let current: { answer: Promise<T>; until: number } | undefined
  return () => {
    if (current && now() < current.until) return current.answer
    const answer = ask()
    const began = now()
    const request = { answer, until: began + milliseconds }
    current = request
    answer.catch(() => {
      request.until = began + failedFor
    })
    return answer
  }
}

const precompile = '0x0000000000000000000000000000000000000100'

/** hash ‖ r ‖ s ‖ x ‖ y of a valid signature: the first vector of RIP-7212's test file. */
const validSignature =
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

/**
 * RIP-7212 and EIP-7951: the precompile returns 1 in 32 bytes for a valid signature. Without it the result is
 * empty.
 */
async function readHasP256Precompile(client: PublicClient): Promise<boolean> {
  const { data } = await client.call({ to: precompile, data: validSignature })
  return data !== undefined && BigInt(data) === 1n
}
