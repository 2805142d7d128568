import { chainlink, ether, finalOnL1, gwei, shownPrice, usdc, withEip7702 } from './common.ts'
import type { Preset } from './preset.ts'

export const base: Preset = {
  chainId: 8453,
  name: 'Base',
  explorerUrl: 'https://basescan.org',
  nativeCurrency: ether,
  accountKinds: withEip7702,
  finality: finalOnL1,
  settlementToken: usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  // ETH / USD, heartbeat 20 minutes.
  nativePrice: chainlink('0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 1800),
  priceFeeds: {
    ETH: shownPrice('0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 1800),
    USDC: shownPrice('0x7e860098F58bBFC8648a4311b374B1D669a2bc6B'),
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
