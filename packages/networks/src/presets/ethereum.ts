import { chainlink, ether, gwei, shownPrice, usdc, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const ethereum: Preset = {
  chainId: 1,
  name: 'Ethereum',
  explorerUrl: 'https://etherscan.io',
  nativeCurrency: ether,
  accountKinds: withEip7702,
  // Two epochs, about 13 minutes.
  finality: { tag: 'finalized' },
  settlementToken: usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  // ETH / USD, heartbeat one hour.
  nativePrice: chainlink('0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', 5_400),
  priceFeeds: {
    ETH: shownPrice('0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', 5_400),
    USDC: shownPrice('0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6'),
  },
  // EIP-7951, since Fusaka.
  p256Precompile: true,
  // geth's default for block producers.
  minPriorityFeePerGas: gwei(0.001),
  blockTime: 12_000,
  pollingInterval: 2_000,
}
