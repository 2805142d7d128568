import { chainlink, gwei, shownPrice, usdc, withoutEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const avalanche: Preset = {
  chainId: 43114,
  name: 'Avalanche C-Chain',
  explorerUrl: 'https://snowtrace.io',
  nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  // EIP-7702 is proposed here (ACP-209), and no upgrade up to Helicon has it.
  accountKinds: withoutEip7702,
  // An accepted block is final: the tag is the head.
  finality: { tag: 'finalized' },
  settlementToken: usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  // AVAX / USD, heartbeat one day.
  nativePrice: chainlink('0x0A77230d17318075983913bC2145DB16C7366156', 90_000),
  priceFeeds: {
    AVAX: shownPrice('0x0A77230d17318075983913bC2145DB16C7366156', 90_000),
    USDC: shownPrice('0xF096872672F44d6EBA71458D74fe67F9a77a23B9'),
  },
  // ACP-204, since Granite.
  p256Precompile: true,
  // Nodes take a tip of 0; a relayer still needs one that can be raised.
  minPriorityFeePerGas: gwei(0.001),
  blockTime: 1_500,
  pollingInterval: 1_000,
}
