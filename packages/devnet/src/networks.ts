import type { Address } from 'viem'
import { ownershipAddress } from './ownership.ts'
import { sessionKeysAddress } from './session-keys.ts'
import { type SettlementToken, settlementTokenAddress } from './settlement-token.ts'
import { smartBalanceAddress } from './smart-balance.ts'

/** One running local network. */
export interface DevnetNetwork {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  readonly settlementToken: SettlementToken
  /** The same on every local network. */
  readonly smartBalance: Address
  /** The same on every local network. */
  readonly sessionKeys: Address
  /** The same on every local network. */
  readonly ownership: Address
  /** The value of 1 ether in 6-decimal units of the settlement token, as a decimal string. */
  readonly nativePrice: { readonly kind: 'fixed'; readonly price: string }
}

/** anvil's own chain id and the two after it, which no real network uses. */
export const defaultChainIds: readonly number[] = [31337, 31338, 31339]

/** The properties of a local network that are known before it runs. */
export function networkPlan(chainId: number): Omit<DevnetNetwork, 'rpcUrl'> {
  const position = defaultChainIds.indexOf(chainId)
  return {
    chainId,
    name: position < 0 ? `Local ${chainId}` : `Local ${position + 1}`,
    // 18 decimals on the third network, as on BNB Smart Chain, so that code which assumes 6 fails here first.
    settlementToken: {
      address: settlementTokenAddress,
      symbol: 'USDC',
      decimals: chainId === 31339 ? 18 : 6,
    },
    smartBalance: smartBalanceAddress,
    sessionKeys: sessionKeysAddress,
    ownership: ownershipAddress,
    nativePrice: { kind: 'fixed', price: '2500000000' },
  }
}
