import { arbitrum } from './arbitrum.ts'
import { chainlink, testNetworkMaximumAge, usdc } from './common.ts'
import type { Preset } from './preset.ts'

export const arbitrumSepolia: Preset = {
  ...arbitrum,
  chainId: 421614,
  name: 'Arbitrum Sepolia',
  explorerUrl: 'https://sepolia.arbiscan.io',
  settlementToken: usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'),
  testnet: true,
  // Test money has no price.
  priceFeeds: {},
  nativePrice: chainlink('0xd30e2101a97dcbAeBCBC04F14C3f624E67A35165', testNetworkMaximumAge),
}
