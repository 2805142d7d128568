import {
  type Account,
  type Address,
  type Chain,
  createWalletClient,
  custom,
  type EIP1193Provider,
  type Hash,
  type Hex,
  http,
} from 'viem'
import type { Connection } from '../connect.ts'

/** Sends ordinary transactions and pays for their gas. */
export interface Payer {
  readonly address: Address
  readonly send: (transaction: { to: Address; data: Hex; value?: bigint; gas?: bigint }) => Promise<Hash>
}

/** A payer whose key is held by this process. */
export function keyPayer({ chain, client }: Connection, account: Account): Payer {
  const wallet = createWalletClient({ account, chain, transport: http(client.transport.url) })
  return { address: account.address, send: (transaction) => wallet.sendTransaction(transaction) }
}

/** A browser wallet (EIP-1193). It shows each transaction before it sends it. */
export function browserPayer({ chain }: Connection, provider: EIP1193Provider, address: Address): Payer {
  const wallet = createWalletClient({ account: address, chain, transport: custom(provider) })
  return {
    address,
    send: async (transaction) => {
      await switchTo(provider, chain)
      return wallet.sendTransaction(transaction)
    },
  }
}

/** Switches by EIP-3326. Adds a network that the wallet does not know by EIP-3085. */
async function switchTo(
  provider: EIP1193Provider,
  { id, name, nativeCurrency, rpcUrls }: Chain,
): Promise<void> {
  const chainId: Hex = `0x${id.toString(16)}`
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch {
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId, chainName: name, nativeCurrency, rpcUrls: [...rpcUrls.default.http] }],
    })
  }
}
