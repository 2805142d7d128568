import { z } from 'zod'
import { type PresetName, presetNames, presets } from './presets/index.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPreset = (name: unknown): name is PresetName => presetNames.some((known) => known === name)

/**
 * Fills in the members of `preset`. A member of the entry itself replaces the preset's member as a whole,
 * except the chain id: an entry for another chain is not that network.
 */
export function expandPreset(entry: unknown, context: z.RefinementCtx): unknown {
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
