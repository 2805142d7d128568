import { z } from 'zod'
import { brandColors, type Color } from './palette.ts'

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #0c6a4c')
  .transform((text) => text.toLowerCase() as Color)

const theme = z.strictObject(
  Object.fromEntries(brandColors.map((name) => [name, color.optional()])) as Record<
    (typeof brandColors)[number],
    z.ZodOptional<typeof color>
  >,
)

const link = z.url({ protocol: /^(https|mailto)$/, error: 'Expected an https:// or mailto: address' })

const onOrOff = z.boolean('Expected true or false').default(true)

/** No control or direction characters: a name must read the same everywhere that it is shown. */
const name = z
  .string()
  .trim()
  .min(1, 'Expected a name')
  .max(30, 'At most 30 characters')
  .regex(/^[^\p{C}<>"]*$/u, 'Expected no control characters, quotation marks or angle brackets')

/** The content of BRAND_FILE. An unknown field is an error: it is usually a mistyped one. */
export const brandFile = z.strictObject({
  name: name.default('Lanyard'),
  logo: z
    .string()
    .regex(/\.(svg|png|webp)$/, 'Expected the path of an .svg, .png or .webp file')
    .optional(),
  colors: z.strictObject({ light: theme.prefault({}), dark: theme.prefault({}) }).prefault({}),
  links: z
    .strictObject({
      support: link.optional(),
      terms: link.optional(),
      privacy: link.optional(),
      imprint: link.optional(),
    })
    .prefault({}),
  tokens: z.array(z.string().min(1)).min(1, 'Expected at least one symbol').optional(),
  features: z
    .strictObject({
      combinedBalance: onOrOff,
      sessionKeys: onOrOff,
      connectedApps: onOrOff,
      contractCalls: onOrOff,
    })
    .prefault({}),
  language: z.enum(['en', 'de'], 'Expected en or de').optional(),
})

export type BrandFile = z.output<typeof brandFile>
