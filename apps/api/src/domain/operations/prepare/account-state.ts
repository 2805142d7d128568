import { multicall3, type Network } from '@lanyard/networks'
import {
  type Address,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  type PublicClient,
  prepareEncodeFunctionData,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { type AnyWallet, rulesOf } from '../../accounts/accounts/wallet.ts'
import { laneCount } from '../nonces.ts'

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
 * Reads the state in one round trip: the two requests form one JSON-RPC batch.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAccountState(network: Network, wallet: AnyWallet): Promise<AccountState> {
  const { address: account } = wallet
  const { entryPoint } = wallet.deployment
  return network.call(async (client) => {
    const [code, [balance = 0n, deposit = 0n, ...nonces]] = await Promise.all([
      client.getCode({ address: account }),
      readWords(client, [
        { target: multicall3, callData: encodeFunctionData({ ...getEthBalance, args: [account] }) },
        { target: entryPoint, callData: encodeFunctionData({ ...balanceOf, args: [account] }) },
        ...Array.from({ length: laneCount }, (_, lane) => ({
          target: entryPoint,
          callData: encodeFunctionData({ ...getNonce, args: [account, BigInt(lane)] }),
        })),
      ]),
    ])
    return {
      deployed: rulesOf(wallet).isDeployed(code),
      balance,
      deposit,
      sequences: nonces.map((nonce) => nonce & (2n ** 64n - 1n)),
    }
  })
}

// Prepared, because viem otherwise hashes a function's signature again for each call.
const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })
const getEthBalance = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance' })
const balanceOf = prepareEncodeFunctionData({ abi: entryPoint07Abi, functionName: 'balanceOf' })
const getNonce = prepareEncodeFunctionData({ abi: entryPoint07Abi, functionName: 'getNonce' })

/** Calls functions that return one uint256, in one eth_call. */
async function readWords(
  client: PublicClient,
  calls: readonly { readonly target: Address; readonly callData: Hex }[],
): Promise<readonly bigint[]> {
  const { data = '0x' } = await client.call({
    to: multicall3,
    data: encodeFunctionData({
      ...aggregate3,
      args: [calls.map((call) => ({ ...call, allowFailure: false }))],
    }),
  })
  const answers = decodeFunctionResult({ abi: aggregate3.abi, data })
  // Fewer words than calls, or shorter ones, do not decode: the node failed.
  return calls.map((_, index) => {
    const [word] = decodeAbiParameters([{ type: 'uint256' }], answers[index]?.returnData ?? '0x')
    return word
  })
}

/** Whether accounts, in lower case, were deployed when they were last read, by network. A wrong entry costs a simulation. */
const seen = new WeakMap<Network, Map<string, boolean>>()

const maxSeen = 100_000

export function rememberDeployed(network: Network, account: string, deployed: boolean): void {
  const known = seen.get(network)
  if (!known || known.size >= maxSeen) seen.set(network, new Map([[account.toLowerCase(), deployed]]))
  else known.set(account.toLowerCase(), deployed)
}

/** Undefined if nothing is known: the account was never read, or an operation has deployed it since. */
export const wasDeployed = (network: Network, account: string): boolean | undefined =>
  seen.get(network)?.get(account.toLowerCase())

/** After an operation that deploys its account: what was read before no longer holds. */
export function forgetDeployed(network: Network, account: string): void {
  seen.get(network)?.delete(account.toLowerCase())
}
