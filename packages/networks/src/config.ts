import { z } from 'zod'
import { expandPreset } from './expand-preset.ts'
import { networkFields } from './network-fields.ts'
import { presetNames } from './presets/index.ts'

export { bundlerConfig, entryPointV07, entryPointV08, finality } from './network-fields.ts'

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
