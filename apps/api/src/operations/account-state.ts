import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { laneCount } from './lanes.ts'

/** What a build needs to know of an account on one network. */
export interface AccountState {
  readonly deployed: boolean
  /** wei */
  readonly balance: bigint
  /** The account's own deposit in EntryPoint, wei; it pays before the balance does. */
  readonly deposit: bigint
  /** The next sequence of each lane at the head of the chain. */
  readonly sequences: readonly bigint[]
}

/**
 * Reads it all in one round trip: the requests leave as one JSON-RPC batch.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAccountState(network: Network, account: Address): Promise<AccountState> {
  const entryPoint = { address: network.config.entryPoint, abi: entryPoint07Abi } as const
  return network.call(async (client) => {
    const [code, balance, deposit, nonces] = await Promise.all([
      client.getCode({ address: account }),
      client.getBalance({ address: account }),
      client.readContract({ ...entryPoint, functionName: 'balanceOf', args: [account] }),
      client.multicall({
        allowFailure: false,
        batchSize: 0, // one eth_call, whatever its size
        contracts: Array.from(
          { length: laneCount },
          (_, lane) => ({ ...entryPoint, functionName: 'getNonce', args: [account, BigInt(lane)] }) as const,
        ),
      }),
    ])
    const sequences = nonces.map((nonce) => nonce & (2n ** 64n - 1n))
    return { deployed: code !== undefined, balance, deposit, sequences }
  })
}
