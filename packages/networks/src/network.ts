import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'

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

/** One configured network. Whatever fails behind it is thrown as NETWORK_UNAVAILABLE or NETWORK_FAILED. */
export interface Network {
  readonly chainId: number
  readonly config: NetworkConfig
  /** Raw access. Wrap what you do with it in `call`, so that its errors become ours. */
  readonly client: PublicClient
  /** Runs something against `client`; transport failures become NETWORK_UNAVAILABLE. Contract reverts pass through. */
  call<T>(use: (client: PublicClient) => Promise<T>): Promise<T>
  /** Current fees; one request per block shared by all callers. */
  fees(): Promise<Fees>
  /** Number of the last block that no reorg can remove, as configured. */
  finalizedBlock(): Promise<bigint>
  /** Whether the chain has the P-256 precompile at 0x100 (RIP-7212, EIP-7951); asked once. */
  hasP256Precompile(): Promise<boolean>
  health(): Promise<NetworkHealth>
}
