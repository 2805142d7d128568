import { chainlink, gwei, shownPrice, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const gnosis: Preset = {
  chainId: 100,
  name: 'Gnosis',
  explorerUrl: 'https://gnosisscan.io',
  nativeCurrency: { name: 'xDAI', symbol: 'XDAI', decimals: 18 },
  accountKinds: withEip7702,
  // Two epochs of 16 slots, about 3 minutes.
  finality: { tag: 'finalized' },
  // Bridged by Circle's standard; Circle issues none of its own here.
  settlementToken: { address: '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0', symbol: 'USDC.e', decimals: 6 },
  // DAI / USD, heartbeat one day.
  nativePrice: chainlink('0x678df3415fc31947dA4324eC63212874be5a82f8', 90_000),
  priceFeeds: {
    XDAI: shownPrice('0x678df3415fc31947dA4324eC63212874be5a82f8', 90_000),
    'USDC.e': shownPrice('0x26C31ac71010aF62E6B486D1132E266D6298857D'),
  },
  // Nethermind's setting for this chain.
  minPriorityFeePerGas: gwei(1),
  blockTime: 5_000,
  pollingInterval: 1_500,
}
