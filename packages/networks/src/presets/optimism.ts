import { chainlink, ether, finalOnL1, gwei, shownPrice, usdc, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const optimism: Preset = {
  chainId: 10,
  name: 'OP Mainnet',
  explorerUrl: 'https://optimistic.etherscan.io',
  nativeCurrency: ether,
  accountKinds: withEip7702,
  finality: finalOnL1,
  settlementToken: usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  // ETH / USD, heartbeat 20 minutes.
  nativePrice: chainlink('0x13e3Ee699D1909E989722E753853AE30b17e08c5', 1800),
  priceFeeds: {
    ETH: shownPrice('0x13e3Ee699D1909E989722E753853AE30b17e08c5', 1800),
    USDC: shownPrice('0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3'),
  },
  l1Fee: { kind: 'op-stack' },
  p256Precompile: true,
  // op-geth's default.
  minPriorityFeePerGas: gwei(0.001),
  // Sequencers include nearly everything for less.
  maxPriorityFeePerGas: gwei(2),
  blockTime: 2000,
  pollingInterval: 1000,
}
