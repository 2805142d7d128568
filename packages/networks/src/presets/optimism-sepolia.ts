import { chainlink, testNetworkMaximumAge, usdc } from './common.ts'
import { optimism } from './optimism.ts'
import type { Preset } from './preset.ts'

export const optimismSepolia: Preset = {
  ...optimism,
  chainId: 11155420,
  name: 'OP Sepolia',
  explorerUrl: 'https://optimism-sepolia.blockscout.com',
  settlementToken: usdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7'),
  testnet: true,
  // Test money has no price.
  priceFeeds: {},
  nativePrice: chainlink('0x61Ec26aA57019C486B10502285c5A3D4A4750AD7', testNetworkMaximumAge),
}
