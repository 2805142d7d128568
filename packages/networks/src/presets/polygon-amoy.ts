import { chainlink, testNetworkMaximumAge, usdc } from './common.ts'
import { polygon } from './polygon.ts'
import type { Preset } from './preset.ts'

export const polygonAmoy: Preset = {
  ...polygon,
  chainId: 80002,
  name: 'Polygon Amoy',
  explorerUrl: 'https://amoy.polygonscan.com',
  settlementToken: usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'),
  testnet: true,
  // Test money has no price.
  priceFeeds: {},
  nativePrice: chainlink('0x001382149eBa3441043c1c66972b4772963f5D43', testNetworkMaximumAge),
}
