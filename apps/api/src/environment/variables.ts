import { z } from 'zod'

/** Whole numbers, as text. */
const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `Expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least, `At least ${least}`).max(most, `At most ${most}`))

/** Comma-separated, spaces around the items are dropped. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const flag = z.stringbool({ error: 'Expected true or false' })

const origin = z
  .url({ protocol: /^https?$/, error: 'Expected an origin such as https://wallet.example' })
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, {
    message: 'Expected an origin alone, without a path or a final slash',
  })

/** `name:secret`, or a secret alone. */
const apiKey = z.string().transform((text, context) => {
  const colon = text.indexOf(':')
  const name = colon < 0 ? 'default' : text.slice(0, colon)
  const secret = text.slice(colon + 1)
  if (name !== '' && secret.length >= 16) return { name, secret }
  context.addIssue('Each key is name:secret or a secret alone, and a secret has at least 16 characters')
  return z.NEVER
})

const privateKey = z
  .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
  .refine((key) => /^0x[0-9a-fA-F]{64}$/.test(key), 'Expected 0x and 64 hex digits')

/** RFC 8037 §2: an octet key pair with its private part. */
const tokenKey = z.string().transform((text, context) => {
  try {
    return z
      .looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() })
      .parse(JSON.parse(text))
  } catch {
    context.addIssue('Expected a private JWK of Ed25519: {"kty":"OKP","crv":"Ed25519","x":"…","d":"…"}')
    return z.NEVER
  }
})

/**
 * Every variable of the environment that the service reads, with what it means. `docs/configuration.md` is
 * generated from it. An empty variable counts as absent.
 */
export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'Expected development, test or production')
    .default('development')
    .meta({ description: '`production` refuses what is for development only.' }),
  PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port; 0 takes any free one. Absent: 3000, or a free one when 3000 is taken (the address is printed).',
  }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'Expected postgresql://…' })
    .optional()
    .meta({ description: 'PostgreSQL 15 or later. Absent: PGlite in this process, for development.' }),
  DATA_DIR: z.string().optional().meta({
    description:
      'Where PGlite and the local networks keep their files. Absent: everything in memory, fresh at each start.',
  }),
  NETWORKS_FILE: z
    .string()
    .optional()
    .meta({ description: 'JSON file with the networks. Absent: three local networks are started.' }),
  DEVNET_PORT: integer(1, 65_533)
    .default(8545)
    .meta({ description: 'First of three consecutive ports for the local networks.' }),
  API_KEYS: list.pipe(z.array(apiKey)).default([]).meta({
    description:
      'Comma-separated `name:secret`, or secrets alone, of at least 16 characters. When set, every request needs one. Keys of one name, and those without, are one caller: they share rate limits and Idempotency-Keys. Must be set in production.',
  }),
  ALLOW_ANONYMOUS: flag
    .default(false)
    .meta({ description: '`true` lets a production service run without API_KEYS: anyone may call it.' }),
  ALLOW_PGLITE: flag.default(false).meta({
    description: '`true` lets a production service run on PGlite, which loses data in a power cut.',
  }),
  RP_ID: z.hostname().default('localhost').meta({
    description:
      'The domain of passkeys (WebAuthn relying party ID). It must not change once passkey accounts exist.',
  }),
  ORIGINS: list.pipe(z.array(origin)).default([]).meta({
    description:
      'Comma-separated origins of browser apps that may call the service (CORS) and hold ceremonies. Absent: the service itself on localhost, or https on RP_ID.',
  }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'Expected fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .meta({ description: 'The least level that is logged.' }),
  TRUST_PROXY: integer(0, 16).default(0).meta({
    description: 'Number of proxies in front whose `X-Forwarded-For` counts.',
  }),
  RATE_LIMITS: z.enum(['on', 'off'], 'Expected on or off').default('on').meta({
    description:
      '`off` counts no requests, for development and benchmarks. Refused in production. Counters are in the database when DATABASE_URL is set, else in this process.',
  }),
  RATE_LIMIT_CALLS: integer(1, 1_000_000).default(6000).meta({
    description:
      'Calls a minute from one address (IPv6: from one /64) without an API key; each call of a tRPC batch counts. `/health` is free.',
  }),
  RATE_LIMIT_BUILDS: integer(1, 1_000_000).default(2000).meta({
    description: 'Of these, calls that simulate: builds, gas fees, transaction options, changes of owners.',
  }),
  RATE_LIMIT_CEREMONIES: integer(1, 1_000_000).default(3000).meta({
    description: 'Of these, calls that begin or end a ceremony: registering, signing in, adding a passkey.',
  }),
  RATE_LIMIT_KEY_FACTOR: integer(1, 10_000).default(10).meta({
    description:
      'An API key, from whatever address, may call so many times as often as an address without one.',
  }),
  RELAYER_PRIVATE_KEYS: list.pipe(z.array(privateKey)).default([]).meta({
    description:
      'Comma-separated private keys of the embedded bundler. Needed when a network that is not local uses it; local networks use a public development key.',
  }),
  INCLUSION_TIMEOUT: integer(1, 600)
    .default(30)
    .meta({ description: 'Seconds that submit waits for inclusion before it answers 504.' }),
  RP_CHANGE: z.enum(['refuse', 'allow'], 'Expected refuse or allow').default('refuse').meta({
    description:
      '`allow` starts with another RP_ID or other ORIGINS than those that passkeys exist for. Passkeys of another RP_ID stop working.',
  }),
  TOKEN_KEY: tokenKey.optional().meta({
    description:
      'The private key that signs user tokens: a JWK of Ed25519 as JSON. Absent: one is made and kept in the database. Must be set in production.',
  }),
  SPONSORED_DEPLOYMENTS: integer(0, 100_000).default(100).meta({
    description:
      'How many accounts `deployWallet=true` may deploy a day, on local networks, paid by the service. 0: none.',
  }),
  CRASH_AT: z.string().optional().meta({
    description: 'For tests: the process kills itself at this checkpoint. Refused in production.',
  }),
})

export type Variables = z.output<typeof variables>
