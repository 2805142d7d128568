import { z } from 'zod'
import { networkFields } from './network-fields.ts'
import { presetNames, presets } from './presets/index.ts'

/** An entry with a preset: the operator only specifies how to reach the network. */
const presetEntry = networkFields
  .omit({ chainId: true })
  .partial()
  .extend({ preset: z.enum(presetNames), rpcUrls: networkFields.shape.rpcUrls })

const document = z.strictObject({
  $schema: z.string().optional(),
  networks: z.array(z.union([presetEntry, networkFields])).min(1),
})

/** The forms of an address in the file; `${NAME}` is replaced from the environment before validation. */
const urlOrVariable = { type: 'string', pattern: '^(https?://|\\$\\{[A-Za-z_][A-Za-z0-9_]*\\})' }

/** JSON schema of a networks file, for editors. The service itself validates the file with `networksFile`. */
export function networksFileSchema(): object {
  const schema = z.toJSONSchema(document, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.format !== 'uri') return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, urlOrVariable)
    },
  })
  return {
    ...schema,
    title: 'Networks of Lanyard (NETWORKS_FILE)',
    description: `Presets: ${presetNames.map((name) => `${name} (${presets[name].chainId})`).join(', ')}.`,
  }
}
