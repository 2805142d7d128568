import type { Block, PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { L1Fee, L1Transaction } from './l1-fee.ts'

/** EIP-1559 fees that get a transaction into one of the next blocks, wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly baseFeePerGas: bigint
}

export interface NetworkHealth {
  readonly status: 'up' | 'down'
  readonly block: bigint | null
}

/** A configured network. Failures of its RPC are thrown as NETWORK_UNAVAILABLE or NETWORK_FAILED. */
export interface Network {
  readonly chainId: number
  readonly config: NetworkConfig
  /** Raw access. Wrap its use in `call`, which converts its errors. */
  readonly client: PublicClient
  /** Runs something against `client`; transport failures become NETWORK_UNAVAILABLE. Contract reverts pass through. */
  call<T>(use: (client: PublicClient) => Promise<T>): Promise<T>
  /** The newest block. Those who ask in one turn of the event loop share a request, which is sent after all of them asked. */
  head(): Promise<Block<bigint, false, 'latest'>>
  /** Current fees; one request per block shared by all callers. */
  fees(): Promise<Fees>
  /** The last answer of `fees`, however old: enough for a guess that is checked later. */
  readonly lastFees: Fees | undefined
  /**
   * Asks now whether it is the configured chain that answers, before something is written that cannot be undone.
   *
   * @throws NETWORK_FAILED, NETWORK_UNAVAILABLE
   */
  assertChain(): Promise<void>
  /** Number of the last block that no reorg can remove, as configured. */
  finalizedBlock(): Promise<bigint>
  /** Whether the chain has the P-256 precompile at 0x100 (RIP-7212, EIP-7951); asked once. */
  hasP256Precompile(): Promise<boolean>
  /**
   * 6-decimals units of the settlement token for 1 ether (10^18 wei) of the native coin, as configured.
   *
   * @throws NO_SMART_BALANCE when the configuration names no price; NETWORK_FAILED when the price feed answers
   * nothing that may be used
   */
  nativePrice(): Promise<bigint>
  /**
   * What the L1 data of a transaction costs on top of its gas; nothing, without a request, where the network charges
   * nothing for it.
   *
   * @throws NETWORK_FAILED when the answer is none, or above the configured maximum
   */
  l1Fee(transaction: L1Transaction): Promise<L1Fee>
  health(): Promise<NetworkHealth>
  /** `open`: every RPC failed several times in a row, and calls fail immediately until one shows that it is back. */
  readonly circuit: 'open' | 'closed'
  /** RPC requests at this moment, over all endpoints: sent and not answered, and waiting for their turn. */
  readonly load: { readonly active: number; readonly waiting: number }
}
