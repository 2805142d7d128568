import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'

const color = z.string().regex(/^#[0-9a-f]{6}$/)

/** The colours of one theme. The service derives the others, such as lines and quiet text. */
const theme = z.object({
  background: color,
  surface: color,
  text: color,
  primary: color,
  onPrimary: color.meta({ description: 'Text on `primary`.' }),
  accent: color.meta({ description: 'Links, focus and good news.' }),
})

export const brand = endpoint({
  method: 'GET',
  path: '/brand',
  tag: 'Service',
  bucket: 'calls',
  access: withKey,
  summary: 'The name and look of the wallet',
  description:
    'What the operator set in BRAND_FILE, completed with the defaults. The web wallet reads it from its page, before the first paint.',
  output: z.object({
    name: z.string(),
    logo: z.string().nullable().meta({ description: "The logo's path at this service. `null`: Lanyard's." }),
    colors: z.object({ light: theme, dark: theme }),
    links: z.object({
      support: z.url().optional(),
      terms: z.url().optional(),
      privacy: z.url().optional(),
      imprint: z.url().optional(),
    }),
    tokens: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Symbols of the currencies that the wallet shows. `null`: all.' }),
    features: z
      .object({
        combinedBalance: z.boolean(),
        sessionKeys: z.boolean(),
        connectedApps: z.boolean(),
        contractCalls: z.boolean(),
      })
      .meta({
        description: 'The parts of the wallet that people see. The endpoints behind them still work.',
      }),
    logins: z
      .array(z.object({ issuer: z.string(), name: z.string() }))
      .meta({ description: 'Identity providers whose login names a user here (IDENTITY_PROVIDERS).' }),
    language: z
      .enum(['en', 'de'])
      .nullable()
      .meta({ description: "For people who have not chosen one. `null`: the browser's." }),
  }),
})
