import type { Network } from '@lanyard/networks'
import { type Address, parseAbi } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { laneCount } from './lanes.ts'

const multicall3Abi = parseAbi(['function getEthBalance(address) view returns (uint256)'])

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
 * Reads it all in one round trip: a multicall and the code, sent as one batch.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAccountState(network: Network, account: Address): Promise<AccountState> {
  const entryPoint = { address: network.config.entryPoint, abi: entryPoint07Abi } as const
  const lanes = Array.from({ length: laneCount }, (_, lane) => BigInt(lane))
  return network.call(async (client) => {
    const multicall3 = client.chain?.contracts?.multicall3?.address
    const [code, [balance, deposit, ...nonces]] = await Promise.all([
      client.getCode({ address: account }),
      client.multicall({
        allowFailure: false,
        batchSize: 0, // one eth_call, whatever its size
        contracts: [
          { address: multicall3, abi: multicall3Abi, functionName: 'getEthBalance', args: [account] },
          { ...entryPoint, functionName: 'balanceOf', args: [account] },
          ...lanes.map(
            (lane) => ({ ...entryPoint, functionName: 'getNonce', args: [account, lane] }) as const,
          ),
        ],
      }),
    ])
    const sequences = nonces.map((nonce) => nonce & (2n ** 64n - 1n))
    return { deployed: code !== undefined && code !== '0x', balance, deposit, sequences }
  })
}
