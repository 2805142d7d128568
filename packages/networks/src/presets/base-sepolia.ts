import { base } from './base.ts'
import { chainlink, testNetworkMaximumAge, usdc } from './common.ts'
import type { Preset } from './preset.ts'

export const baseSepolia: Preset = {
  ...base,
  chainId: 84532,
  name: 'Base Sepolia',
  explorerUrl: 'https://sepolia.basescan.org',
  settlementToken: usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  testnet: true,
  // Test money has no price.
  priceFeeds: {},
  nativePrice: chainlink('0x4aDC67696bA383F43DD60A9e78F2C97Fbbfc7cb1', testNetworkMaximumAge),
}
