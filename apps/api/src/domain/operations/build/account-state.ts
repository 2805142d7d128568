import { multicall3, type Network } from '@lanyard/networks'
import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  multicall3Abi,
  type PublicClient,
  prepareEncodeFunctionData,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { laneCount } from '../lanes.ts'

/** The state of an account on one network that a build needs. */
export interface AccountState {
  readonly deployed: boolean
  /** wei */
  readonly balance: bigint
  /** The account's own deposit in EntryPoint, wei. It pays before the balance does. */
  readonly deposit: bigint
  /** The next sequence of each lane at the head of the chain. */
  readonly sequences: readonly bigint[]
}

/**
 * Reads the state in one round trip: the requests form one JSON-RPC batch.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAccountState(network: Network, account: Address): Promise<AccountState> {
  const { entryPoint } = network.config
  return network.call(async (client) => {
    const [code, balance, deposit, sequences] = await Promise.all([
      client.getCode({ address: account }),
      client.getBalance({ address: account }),
      client.readContract({
        address: entryPoint,
        abi: entryPoint07Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
      readSequences(client, entryPoint, account),
    ])
    return { deployed: code !== undefined, balance, deposit, sequences }
  })
}

const getNonce = prepareEncodeFunctionData({ abi: entryPoint07Abi, functionName: 'getNonce' })

/** One eth_call. viem's own `multicall` hashes the signature of each call again to get its selector. */
async function readSequences(
  client: PublicClient,
  entryPoint: Address,
  account: Address,
): Promise<readonly bigint[]> {
  const answers = await client.readContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      Array.from({ length: laneCount }, (_, lane) => ({
        target: entryPoint,
        allowFailure: false,
        callData: encodeFunctionData({ ...getNonce, args: [account, BigInt(lane)] }),
      })),
    ],
  })
  return answers.map(({ returnData }) => {
    const [nonce] = decodeAbiParameters([{ type: 'uint256' }], returnData)
    return nonce & (2n ** 64n - 1n)
  })
}
