import type { Address } from 'viem'
import { z } from 'zod'
import { entryPointV08, networkFields } from './network-fields.ts'
import { type PresetName, presetNames, presets } from './presets/index.ts'

export { bundlerConfig, entryPointV07, entryPointV08, finality } from './network-fields.ts'

/** RFC 6761 §6.3 and RFC 5735 §3: these addresses never leave the machine. */
const isLoopback = (url: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** A network after its preset is filled in. */
const filledNetwork = networkFields
  .extend({
    /** The preset that it came from, if any. */
    preset: z.enum(presetNames).optional(),
  })
  .superRefine((config, context) => {
    for (const [origins, urls] of [
      ['rpcOrigins', 'rpcUrls'],
      ['attestorRpcOrigins', 'attestorRpcUrls'],
    ] as const) {
      if (!config[origins] || config[origins].length === config[urls]?.length) continue
      context.addIssue({
        code: 'custom',
        path: [origins],
        message: `Expected one origin for each of ${urls}`,
      })
    }
    // It lifts limits that protect money, so a chain that others use can never have it.
    if (config.local && !config.rpcUrls.every(isLoopback)) {
      context.addIssue({
        code: 'custom',
        path: ['local'],
        message: 'Only a development chain on this machine is local: expected rpcUrls on loopback',
      })
    }
    if (config.smartBalance === undefined) return
    for (const field of ['settlementToken', 'nativePrice'] as const) {
      if (config[field] !== undefined) continue
      context.addIssue({ code: 'custom', path: [field], message: 'Needed on a network with smartBalance' })
    }
  })

/** One network of the configuration file. */
export const networkConfig = z.preprocess(expandPreset, filledNetwork)

export type NetworkConfig = z.output<typeof networkConfig>

/** The configuration file at NETWORKS_FILE. */
export const networksFile = z.strictObject({
  /** For editors: the path of `networks.schema.json`. */
  $schema: z.string().optional(),
  networks: z
    .array(networkConfig)
    .min(1, 'At least one network is needed')
    .refine(
      (networks) => new Set(networks.map(({ chainId }) => chainId)).size === networks.length,
      'Each chainId may appear only once',
    ),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPreset = (name: unknown): name is PresetName => presetNames.some((known) => known === name)

/**
 * Fills in the members of `preset`. A member of the entry itself replaces the preset's member as a whole,
 * except the chain id: an entry for another chain is not that network.
 */
function expandPreset(entry: unknown, context: z.RefinementCtx): unknown {
  if (!isObject(entry) || entry.preset === undefined) return entry
  const { preset } = entry
  if (!isPreset(preset)) {
    context.addIssue({
      code: 'custom',
      path: ['preset'],
      message: `Unknown preset. The presets are ${presetNames.join(', ')}`,
    })
    return z.NEVER
  }
  const filled = presets[preset]
  if (entry.chainId !== undefined && entry.chainId !== filled.chainId) {
    context.addIssue({
      code: 'custom',
      path: ['chainId'],
      message: `The preset ${preset} is chain ${filled.chainId}. Leave out chainId or the preset`,
    })
    return z.NEVER
  }
  return { ...filled, ...entry }
}

/** The EntryPoints that a network's operations go through: that of Safes first, then that of delegated EOAs. */
export const entryPointsOf = ({
  entryPoint,
  accountKinds,
}: Pick<NetworkConfig, 'entryPoint' | 'accountKinds'>): readonly Address[] =>
  accountKinds.includes('eip7702') ? [entryPoint, entryPointV08] : [entryPoint]

/** Number of blocks in a time, by the network's configured block time. */
export const blocksIn = ({ blockTime }: Pick<NetworkConfig, 'blockTime'>, milliseconds: number): bigint =>
  BigInt(Math.ceil(milliseconds / blockTime))
