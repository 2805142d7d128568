import type { Network, Networks } from '@lanyard/networks'
import { type Address, erc20Abi } from 'viem'
import type { Shared } from '../../../platform/shared-reads.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { type AnyWallet, rulesOf } from './wallet.ts'

export interface NetworkBalance {
  readonly network: string
  readonly available: boolean
  readonly deployed: boolean
  readonly native: string | null
  readonly tokens: { address: Address; symbol: string; decimals: number; balance: string }[]
}

/**
 * Reads an account's balances on all networks in parallel. A network that does not answer is marked as down.
 */
export async function readBalances(
  {
    networks,
    sharedReads,
  }: { readonly networks: Networks; readonly sharedReads: { readonly balances: Shared<NetworkBalance> } },
  wallet: AnyWallet,
): Promise<NetworkBalance[]> {
  const read = (network: Network) =>
    sharedReads.balances(`${network.chainId}:${wallet.address}`, () => readNetworkBalance(network, wallet))
  return Promise.all(
    networks.list().map((network) =>
      withReadTimeout(network, read(network)).catch(() => ({
        network: String(network.chainId),
        available: false,
        deployed: false,
        native: null,
        tokens: [],
      })),
    ),
  )
}

async function readNetworkBalance(network: Network, wallet: AnyWallet): Promise<NetworkBalance> {
  const { address: account } = wallet
  const token = network.config.settlementToken
  return network.call(async (client) => {
    const [native, code, balance] = await Promise.all([
      client.getBalance({ address: account }),
      client.getCode({ address: account }),
      token &&
        client.readContract({
          address: token.address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        }),
    ])
    return {
      network: String(network.chainId),
      available: true,
      deployed: rulesOf(wallet).isDeployed(code),
      native: String(native),
      tokens: token && balance !== undefined ? [{ ...token, balance: String(balance) }] : [],
    }
  })
}
