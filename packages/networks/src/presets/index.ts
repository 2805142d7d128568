import { arbitrum } from './arbitrum.ts'
import { arbitrumSepolia } from './arbitrum-sepolia.ts'
import { avalanche } from './avalanche.ts'
import { base } from './base.ts'
import { baseSepolia } from './base-sepolia.ts'
import { bnb } from './bnb.ts'
import { ethereum } from './ethereum.ts'
import { gnosis } from './gnosis.ts'
import { optimism } from './optimism.ts'
import { optimismSepolia } from './optimism-sepolia.ts'
import { polygon } from './polygon.ts'
import { polygonAmoy } from './polygon-amoy.ts'
import type { Preset } from './preset.ts'

/**
 * The preset networks, by their names in a networks file. docs/networks.md lists the source of each address.
 */
export const presets = {
  ethereum,
  base,
  optimism,
  arbitrum,
  polygon,
  gnosis,
  bnb,
  avalanche,
  'base-sepolia': baseSepolia,
  'optimism-sepolia': optimismSepolia,
  'arbitrum-sepolia': arbitrumSepolia,
  'polygon-amoy': polygonAmoy,
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]] // the keys of a literal
