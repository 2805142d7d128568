import type { Block, PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { EndpointLimits } from './endpoint.ts'
import type { FeeToken } from './fee-tokens.ts'
import type { L1Fee, L1Transaction } from './l1-fee.ts'
import type { Quorum } from './quorum.ts'

/** EIP-1559 fees that get a transaction into one of the next blocks, wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly baseFeePerGas: bigint
  /** Nodes refuse transactions with a lower tip. */
  readonly minTip: bigint
}

export interface NetworkHealth {
  readonly status: 'up' | 'down'
  readonly block: bigint | null
}

/** A configured network. Failures of its RPC are thrown as NETWORK_UNAVAILABLE or NETWORK_FAILED. */
export interface Network {
  readonly chainId: number
  readonly config: NetworkConfig
  /** Raw access. Use it inside `call`, which converts its errors. */
  readonly client: PublicClient
  /** Runs something against `client`; transport failures become NETWORK_UNAVAILABLE. Contract reverts pass through. */
  call<T>(use: (client: PublicClient) => Promise<T>): Promise<T>
  /** Reads that two RPCs of different origin must confirm. */
  readonly quorum: Quorum
  /**
   * The newest block. Callers in the same turn of the event loop share one request, which is sent after the
   * last of them.
   */
  head(): Promise<Block<bigint, false, 'latest'>>
  /** Current fees; all callers share one request per block. */
  fees(): Promise<Fees>
  /** The last result of `fees`, however old: enough for a guess that is checked later. */
  readonly lastFees: Fees | undefined
  /**
   * A node refused a transaction with a lower tip than this, wei per gas: `fees` names no less for a while.
   *
   * @param source - whether a node has named it, or it is a guess from a refusal without a figure
   */
  learnLeastTip(tip: bigint, source: 'named' | 'guessed'): void
  /**
   * Checks now that the RPC serves the configured chain, before an irreversible write.
   *
   * @throws NETWORK_FAILED, NETWORK_UNAVAILABLE
   */
  assertChain(): Promise<void>
  /** Number of the last block that no reorg can remove, as configured. */
  finalizedBlock(): Promise<bigint>
  /** Whether the chain has the P-256 precompile at 0x100 (RIP-7212, EIP-7951); requested once. */
  hasP256Precompile(): Promise<boolean>
  /**
   * 6-decimal units of the settlement token for 1 ether (10^18 wei) of the native coin, as configured.
   *
   * @throws NO_SMART_BALANCE if the configuration names no price; NETWORK_FAILED if the price feed returns no
   * usable value
   */
  nativePrice(): Promise<bigint>
  /** The settlement token and `feeTokens`: what gas can be paid in. */
  readonly feeTokens: readonly FeeToken[]
  /**
   * The charge for a transaction's L1 data in addition to its gas. It is zero, without a request, if the
   * network charges nothing for L1 data.
   *
   * The higher of what two origins name, if there are two.
   *
   * @throws NETWORK_FAILED if the response is invalid, or above the configured maximum, or if two origins contradict
   * each other
   */
  l1Fee(transaction: L1Transaction): Promise<L1Fee>
  health(): Promise<NetworkHealth>
  /**
   * `open`: every RPC failed several times in a row, and calls fail immediately until one of them works
   * again.
   */
  readonly circuit: 'open' | 'closed'
  /** Milliseconds until an RPC takes requests again, if all of them limit their number; otherwise 0. */
  readonly rateLimit: number
  /** What the providers accept, as configured or learned, in the order of `rpcUrls`. */
  readonly limits: readonly EndpointLimits[]
  /** Current RPC requests over all endpoints: those in progress, and those that wait. */
  readonly load: { readonly active: number; readonly waiting: number }
}
