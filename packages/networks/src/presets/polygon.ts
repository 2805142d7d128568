import { chainlink, gwei, shownPrice, usdc, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const polygon: Preset = {
  chainId: 137,
  name: 'Polygon PoS',
  explorerUrl: 'https://polygonscan.com',
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  accountKinds: withEip7702,
  // Heimdall milestones, signed by two thirds of the stake: final within seconds to a minute.
  finality: { tag: 'finalized' },
  settlementToken: usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  // POL / USD (deployed as MATIC / USD); its updates are seconds to minutes apart.
  nativePrice: chainlink('0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', 1800),
  priceFeeds: {
    POL: shownPrice('0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', 1800),
    USDC: shownPrice('0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7'),
  },
  p256Precompile: true,
  // Bor refuses less than 25; nodes with the older limit refuse less than 30.
  minPriorityFeePerGas: gwei(30),
  // Peaks of several hundred are usual; the coin is cheap.
  maxPriorityFeePerGas: gwei(1000),
  // A deployment costs hundredths of a coin at usual fees, and tenths at a peak.
  relayerLossPerHour: '2000000000000000000',
  blockTime: 2000,
  pollingInterval: 1000,
}
