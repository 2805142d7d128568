import { parseKeySource } from '@lanyard/signers'
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

/** The format that Android's Credential Manager writes into clientDataJSON. */
const androidOrigin = z
  .string()
  .regex(
    /^android:apk-key-hash:[\w-]{43}$/,
    'Expected android:apk-key-hash: and 43 characters of base64url (a SHA-256)',
  )

/** `name:secret`, or only a secret. */
const apiKey = z.string().transform((text, context) => {
  const colon = text.indexOf(':')
  const name = colon < 0 ? 'default' : text.slice(0, colon)
  const secret = text.slice(colon + 1)
  if (name !== '' && secret.length >= 16) return { name, secret }
  context.addIssue('Each key is name:secret or a secret alone, and a secret has at least 16 characters')
  return z.NEVER
})

/**
 * The source of a private key: the key itself, an encrypted file, or a remote signer. Messages never repeat
 * it.
 */
export const keySource = z.string().transform((text, context) => {
  const source = parseKeySource(text)
  if (source) return source
  context.addIssue('Expected 0x and 64 hex digits, keystore:<file>, remote:<address> or remote:<public key>')
  return z.NEVER
})

/** Settings of the keys that are not in the environment itself. */
const keySettings = {
  KEYSTORE_PASSPHRASE: z.string().optional().meta({
    description: 'Passphrase of every `keystore:` file. Better in a file, by the next variable.',
  }),
  KEYSTORE_PASSPHRASE_FILE: z.string().optional().meta({
    description: 'File with the passphrase of every `keystore:` file; a final line break is dropped.',
  }),
  SIGNER_URL: z
    .url({ protocol: /^https?$/, error: 'Expected an http or https URL' })
    .optional()
    .meta({
      description:
        'Address of the signer that holds the `remote:` keys: Web3Signer, or what speaks its eth1 API.',
    }),
  SIGNER_TOKEN_FILE: z
    .string()
    .optional()
    .meta({ description: 'File with the token that the signer knows us by (`Authorization: Bearer`).' }),
  SIGNER_CA_FILE: z.string().optional().meta({
    description:
      "PEM file: the authority that signed the signer's certificate. Absent: those that Node knows.",
  }),
  SIGNER_CERT_FILE: z.string().optional().meta({
    description: 'PEM file: the certificate by which the signer knows us (mutual TLS), with SIGNER_KEY_FILE.',
  }),
  SIGNER_KEY_FILE: z.string().optional().meta({ description: 'PEM file: the key of SIGNER_CERT_FILE.' }),
  SIGNER_TIMEOUT: integer(1, 60).default(10).meta({
    description: 'Seconds that the signer has for one signature.',
  }),
}

/** The tasks that a process may perform. */
export const roles = ['api', 'worker', 'attestor', 'settler', 'topUp'] as const

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
 * Every environment variable that the service reads, with its meaning. `docs/configuration.md` is generated
 * from it. An empty variable counts as absent.
 */
export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'Expected development, test or production')
    .optional()
    .meta({
      description:
        '`production` refuses what is for development only. Absent: `production` when a network of NETWORKS_FILE is not local, else `development`.',
    }),
  PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port; 0 takes any free one. Absent: 3000, or a free one when 3000 is taken (the address is printed).',
  }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'Expected postgresql://…' })
    .optional()
    .meta({ description: 'PostgreSQL 15 or later. Absent: PGlite in this process, for development.' }),
  DATABASE_STATEMENTS: z.enum(['named', 'unnamed'], 'Expected named or unnamed').default('named').meta({
    description:
      '`named`: connections to PostgreSQL keep their prepared statements, which saves a third of its work. `unnamed` behind a pooler that gives each transaction another connection (PgBouncer in transaction mode without `max_prepared_statements`).',
  }),
  DATA_DIR: z.string().optional().meta({
    description:
      'Where PGlite and the local networks keep their files. Absent: everything in memory, fresh at each start.',
  }),
  NETWORKS_FILE: z
    .string()
    .optional()
    .meta({ description: 'JSON file with the networks. Absent: three local networks are started.' }),
  PREFLIGHT: z.enum(['refuse', 'warn', 'off'], 'Expected refuse, warn or off').default('refuse').meta({
    description:
      'What the start does when a network that is not local is other than configured: `refuse` where money would be lost (another chain, other code at an address), and log the rest; `warn` logs all of it; `off` does not look. `lanyard preflight` looks at any time.',
  }),
  DEVNET_PORT: integer(1, 65_533)
    .default(8545)
    .meta({ description: 'First of three consecutive ports for the local networks.' }),
  API_KEYS: list.pipe(z.array(apiKey)).default([]).meta({
    description:
      'Secret keys of servers: comma-separated `name:secret`, or secrets alone, of at least 16 characters. When set, every request needs a key. Keys of one name, and those without, are one caller: they share rate limits and Idempotency-Keys. More keys, and those for browsers, are made with `lanyard keys create`; production needs a secret one of either kind.',
  }),
  ALLOW_ANONYMOUS: flag
    .default(false)
    .meta({ description: '`true`: anyone may call the service without a key, in production too.' }),
  WALLET: z.stringbool({ error: 'Expected true or false' }).default(true).meta({
    description:
      '`false` serves no web wallet. Where requests need a key, its pages get a publishable one: whoever can open the wallet can call what a user of a wallet needs.',
  }),
  ALLOW_PGLITE: flag.default(false).meta({
    description: '`true` lets a production service run on PGlite, which loses data in a power cut.',
  }),
  RP_ID: z.hostname().default('localhost').meta({
    description:
      'The domain of passkeys (WebAuthn relying party ID). It must not change once passkey accounts exist.',
  }),
  ORIGINS: list.pipe(z.array(origin)).default([]).meta({
    description:
      'Comma-separated origins of browser apps that may call the service (CORS) and hold ceremonies. Those outside of RP_ID are listed at `/.well-known/webauthn` (related origins). Absent: the service itself on localhost, or https on RP_ID.',
  }),
  ANDROID_ORIGINS: list.pipe(z.array(androidOrigin)).default([]).meta({
    description:
      'Comma-separated `android:apk-key-hash:…` (base64url of the SHA-256 of the signing certificate): Android apps that may hold ceremonies. RP_ID has to name them in `/.well-known/assetlinks.json` besides.',
  }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'Expected fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .meta({ description: 'The least level that is logged.' }),
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port for `/metrics` without credentials, for processes of any role; on METRICS_HOST alone. Absent: none; `/metrics` of the service itself takes a secret API key.',
  }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ description: 'Address that METRICS_PORT is on.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'Expected an http or https URL' })
    .optional()
    .meta({
      description: 'Base address of an OpenTelemetry collector (OTLP over HTTP). Absent: no traces.',
    }),
  TRUST_PROXY: integer(0, 16).default(0).meta({
    description: 'Number of proxies in front whose `X-Forwarded-For` counts.',
  }),
  RATE_LIMITS: z.enum(['on', 'off'], 'Expected on or off').default('on').meta({
    description:
      '`off` counts no requests, for development and benchmarks. Refused in production. Counters are in the database when DATABASE_URL is set, else in this process.',
  }),
  RATE_LIMIT_CALLS: integer(1, 1_000_000).default(1200).meta({
    description:
      'Calls a minute from one address (IPv6: from one /64) without a secret API key; each call of a tRPC batch counts. An open wallet without its stream of events makes about 40; the default leaves room for an office behind one address. `/health` does not count here.',
  }),
  RATE_LIMIT_READS: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that read chains or much of the database: balances, deposits, transfers, owners, sessions, recovery kits. An open wallet without its stream of events polls about 20 a minute.',
  }),
  RATE_LIMIT_BUILDS: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that simulate, or look for the operation of a signature: builds, gas fees, quotes, submissions, transaction options, grants of sessions, changes of owners. A person signs a few a minute; a form that estimates while someone types makes one a second.',
  }),
  RATE_LIMIT_CEREMONIES: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that begin or end a ceremony: registering, signing in, adding a passkey. Two for each.',
  }),
  RATE_LIMIT_HEALTH: integer(1, 1_000_000).default(600).meta({
    description:
      'Calls of `/health` a minute from one address, apart from all others and in each process: many balancers that ask once a second.',
  }),
  READ_CACHE: integer(0, 60_000).default(500).meta({
    description:
      'Milliseconds for which what the chains say of an account, and whether they answer `/health`, is shared with further callers. Included operations of this process end it. 0: shared only while it is being read.',
  }),
  RATE_LIMIT_KEY_FACTOR: integer(1, 10_000).default(10).meta({
    description:
      'A secret API key, from any address, may call so many times as often as an address without one: a server calls for many users.',
  }),
  RELAYER_PRIVATE_KEYS: list.pipe(z.array(keySource)).default([]).meta({
    description:
      'Comma-separated keys of the embedded bundler, each `0x…`, `keystore:<file>` or `remote:<address>` ([keys](keys.md)), as are the next four. The first is used while it has transactions to spare. Needed when a network that is not local uses it; local networks use a public development key.',
  }),
  OPERATOR_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key that signs orders of the smart balance. Needed by the role `api` when a network that is not local has `smartBalance`; local networks use a public development key, as for the next three.',
  }),
  ATTESTOR_PRIVATE_KEYS: list.pipe(z.array(keySource)).default([]).meta({
    description:
      'Comma-separated keys that attest the outcome of orders. Needed by the role `attestor`; best is one key per process.',
  }),
  SETTLER_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key that sends settlements, and pays for their gas on every network. Needed by the role `settler`.',
  }),
  TOP_UP_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key that tops up the gas deposit of SmartBalance, by the role `topUp`, from its own coins. Absent on a real network: nobody does, and `lanyard gas-deposit add` has to.',
  }),
  TOP_UP_PER_HOUR: integer(1, 1_000_000).default(25).meta({
    description:
      'What the gas of orders may cost in an hour on each network, settlement tokens: the gas deposit is filled up to it when half is gone, and no more than it is added in any hour. A stolen operator key takes the deposit, and then so much an hour until it is revoked.',
  }),
  ...keySettings,
  SMART_BALANCE_BASIS_POINTS: integer(0, 100).default(10).meta({
    description: 'What the operator takes of a lent amount, hundredths of a percent.',
  }),
  LIQUIDITY_WARNING: integer(0, 1_000_000_000_000).default(1000).meta({
    description:
      'A warning is logged when less than so many settlement tokens are left to lend on a network. 0: never.',
  }),
  EXPOSURE_WARNING: integer(0, 1_000_000_000_000).default(100_000).meta({
    description:
      'A warning is logged when more than so many settlement tokens are lent on a network and not collected yet. 0: never.',
  }),
  ROLES: list
    .pipe(z.array(z.enum(roles, `Expected a comma-separated list out of ${roles.join(', ')}`)).min(1))
    .default([...roles])
    .meta({
      description:
        'What this process does, comma-separated: `api` answers requests, `worker` follows operations to their end, `attestor` and `settler` see to the debits of orders, `topUp` to the gas deposit. Absent: all. Processes with some of the roles share a PostgreSQL and NETWORKS_FILE; each role is to be in one of them at least.',
    }),
  SHUTDOWN_DELAY: integer(0, 300).default(0).meta({
    description:
      'Seconds after SIGTERM in which the service still answers while `/health` says 503 `draining`: as long as a balancer in front takes to notice.',
  }),
  INCLUSION_TIMEOUT: integer(1, 600)
    .default(30)
    .meta({ description: 'Seconds that submit waits for inclusion before it answers 504.' }),
  MIGRATE_ON_START: flag.default(true).meta({
    description:
      '`false`: a process does not change the schema of the database; it refuses to start until `lanyard migrate` has brought it up to date.',
  }),
  RP_CHANGE: z.enum(['refuse', 'allow'], 'Expected refuse or allow').default('refuse').meta({
    description:
      '`allow` starts with another RP_ID or other ORIGINS than those that passkeys exist for. Passkeys of another RP_ID stop working.',
  }),
  TOKEN_KEY: tokenKey.optional().meta({
    description:
      'The private key that signs user tokens: a JWK of Ed25519 as JSON. What encrypts the secrets of webhooks follows from it. Absent: one is made and kept in the database, and those secrets are stored as they are. Must be set in production.',
  }),
  SPONSORED_DEPLOYMENTS: integer(0, 100_000).optional().meta({
    description:
      'How many accounts `deployWallet=true` may deploy a day (UTC) for one API key, on every network with the embedded bundler, paid by its relayer. All callers without a key share one budget. Absent: 100 on local networks, none on real ones. 0: none.',
  }),
  POLICIES_FILE: z.string().optional().meta({
    description:
      'JSON file with the gas policies: for which operations `paymasterData: "sponsored"` makes the service pay, and how much ([gas policies](gas-policies.md)). Absent: the service pays on local networks, 10 ether a day and 1 ether for an account, and nothing on real ones.',
  }),
  UNPAID_ORDER_GAS: integer(0, 1_000_000_000).optional().meta({
    description:
      'What orders that debit no other network may cost the service in gas a day (UTC) on each network, all together, settlement tokens. Their fee is paid by their own calls: when those revert, the operator pays. An order counts from when it is built until it has paid. Absent: 200 on real networks, 1,000,000 on local ones. 0: no such orders.',
  }),
  UNPAID_ORDER_GAS_PER_KEY: integer(0, 1_000_000_000).optional().meta({
    description:
      'How much of UNPAID_ORDER_GAS one API key gets at most, settlement tokens; requests without a key share one. Absent: half of it.',
  }),
  CRASH_AT: z.string().optional().meta({
    description:
      'For tests: the process kills itself at this checkpoint, or before or after so many writes to the database or requests to nodes and bundlers (`write:7:before`, `call:7:after`; `count` prints them). Refused in production.',
  }),
})

export type Variables = z.output<typeof variables>
