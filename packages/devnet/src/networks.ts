import { type SettlementToken, settlementTokenAddress } from './settlement-token.ts'

/** One running local network. */
export interface DevnetNetwork {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  readonly settlementToken: SettlementToken
}

/** anvil's own chain id and the two after it: never a real network's. */
export const defaultChainIds: readonly number[] = [31337, 31338, 31339]

/** What is fixed about a local network before it runs. */
export function networkPlan(chainId: number): Omit<DevnetNetwork, 'rpcUrl'> {
  const position = defaultChainIds.indexOf(chainId)
  return {
    chainId,
    name: position < 0 ? `Local ${chainId}` : `Local ${position + 1}`,
    // 18 decimals on the third, as on BNB Smart Chain, so that code which assumes 6 fails here first.
    settlementToken: {
      address: settlementTokenAddress,
      symbol: 'USDC',
      decimals: chainId === 31339 ? 18 : 6,
    },
  }
}
