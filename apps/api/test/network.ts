import { createNetworks, type Network, networkConfig } from '@lanyard/networks'
import type { z } from 'zod'

export const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
export const settlementToken = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A network client that has sent no request yet. Nothing listens on its RPC URL. */
export function networkOf(changed: Partial<z.input<typeof networkConfig>> = {}): Network {
  const config = networkConfig.parse({
    chainId: 31337,
    name: 'Test',
    rpcUrls: ['http://127.0.0.1:9'],
    local: true,
    smartBalance,
    settlementToken: { address: settlementToken, symbol: 'USDC', decimals: 6 },
    nativePrice: { kind: 'fixed', price: '2000' },
    ...changed,
  })
  return createNetworks([config]).get(config.chainId)
}
