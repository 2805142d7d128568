import { z } from 'zod'

const text = (max: number) => z.string().min(1).max(max)

const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const provider = z
  .strictObject({
    issuer: z
      .url({ protocol: /^https?$/, error: 'Expected the address of an OpenID Connect issuer' })
      .max(256)
      .refine((url) => url.startsWith('https:') || isLocal(url), 'https is needed, except on this machine'),
    name: text(40),
    audience: z.union([text(256).transform((one) => [one]), z.array(text(256)).min(1).max(16)]),
    clientSecret: z.string().min(8, 'At least 8 characters').max(512).optional(),
    scopes: text(256)
      .refine((scopes) => scopes.split(' ').includes('openid'), 'Expected scopes with openid among them')
      .default('openid'),
    claims: z.record(text(64), z.union([z.string(), z.number(), z.boolean()])).default({}),
  })
  .transform(({ audience: [clientId = '', ...others], ...given }) => ({
    ...given,
    clientId,
    audiences: [clientId, ...others] as readonly string[],
  }))

/** An identity provider whose login names users. */
export type ConfiguredProvider = Readonly<z.output<typeof provider>>

const providers = z
  .array(provider)
  .max(8, 'At most 8 providers')
  .refine(
    (all) => new Set(all.map(({ issuer }) => issuer)).size === all.length,
    'Each issuer once: give one entry several audiences instead',
  )

/** A JSON array, as a variable has it. */
export const identityProviders = z.string().transform((json, context): readonly ConfiguredProvider[] => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    context.addIssue('Expected JSON: [{"issuer":"https://…","name":"…","audience":"…"}]')
    return z.NEVER
  }
  const parsed = providers.safeParse(value)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    context.addIssue(`${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
  }
  return z.NEVER
})
