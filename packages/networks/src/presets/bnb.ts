import { chainlink, gwei, shownPrice, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

/** It has no token that can settle here: its USDC is bridged by an exchange, with 18 decimals. */
export const bnb: Preset = {
  chainId: 56,
  name: 'BNB Smart Chain',
  explorerUrl: 'https://bscscan.com',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  accountKinds: withEip7702,
  // Fast finality: votes of two thirds of the validators, a few blocks later.
  finality: { tag: 'finalized' },
  // BNB / USD, updated every minute.
  nativePrice: chainlink('0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', 600),
  priceFeeds: { BNB: shownPrice('0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', 600) },
  p256Precompile: true,
  // The base fee is 0: the tip is the whole price, and validators refuse less.
  minPriorityFeePerGas: gwei(0.05),
  blockTime: 450,
  pollingInterval: 500,
}
