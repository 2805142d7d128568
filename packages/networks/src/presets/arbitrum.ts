import { chainlink, ether, finalOnL1, gwei, shownPrice, usdc, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const arbitrum: Preset = {
  chainId: 42161,
  name: 'Arbitrum One',
  explorerUrl: 'https://arbiscan.io',
  nativeCurrency: ether,
  accountKinds: withEip7702,
  finality: finalOnL1,
  settlementToken: usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  // ETH / USD: updated on moves of 0.05 %, otherwise once a day.
  nativePrice: chainlink('0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', 90_000),
  priceFeeds: {
    ETH: shownPrice('0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', 90_000),
    USDC: shownPrice('0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3'),
  },
  l1Fee: { kind: 'arbitrum' },
  p256Precompile: true,
  // Nitro ignores tips; a relayer still needs one that can be raised.
  minPriorityFeePerGas: gwei(0.001),
  // Sequencers include nearly everything for less.
  maxPriorityFeePerGas: gwei(2),
  blockTime: 250,
  pollingInterval: 500,
}
