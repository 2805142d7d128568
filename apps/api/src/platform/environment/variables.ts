import { reservedUsernames } from '@lanyard/contracts'
import { parseKeySource } from '@lanyard/signers'
import { z } from 'zod'
import { identityProviders } from './identity-providers.ts'
import { parseAndroidApp, parseIosApp } from './native-apps.ts'
import { parsePrivateRange } from './private-range.ts'

/** Whole numbers, as text. */
const integer = (least: number, limit: number) =>
  z
    .string()
    .regex(/^\d+$/, `Expected a whole number from ${least} to ${limit}`)
    .transform(Number)
    .pipe(z.int().min(least, `At least ${least}`).max(limit, `At most ${limit}`))

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
    message: 'Expected only an origin, without a path or a final slash',
  })

/** `group=role`, comma-separated. A group may contain an equals sign. */
const roleMapping = list.transform((items, context) =>
  items.map((item) => {
    const equals = item.lastIndexOf('=')
    const role = z.enum(['viewer', 'support', 'operator', 'admin']).safeParse(item.slice(equals + 1).trim())
    const group = item.slice(0, Math.max(equals, 0)).trim()
    if (role.success && group !== '') return { group, role: role.data }
    context.addIssue('Expected group=role, with the role viewer, support, operator or admin')
    return z.NEVER
  }),
)

/** A value that a function reads; undefined is an issue. */
const parsedBy = <T>(parse: (text: string) => T | undefined, expected: string) =>
  z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== undefined) return parsed
    context.addIssue(expected)
    return z.NEVER
  })

const iosApp = parsedBy(parseIosApp, 'Expected <team>.<bundle>, such as A1B2C3D4E5.com.example.wallet')

const androidApp = parsedBy(
  parseAndroidApp,
  'Expected <package>:<SHA-256>, such as com.example.wallet:14:6D:E9:… with 32 bytes in hex',
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
  context.addIssue(
    'Expected 0x and 64 hex digits, keystore:<file>, remote:<address>, remote:<public key>, aws-kms:<key>, gcp-kms:<version> or azure-kv:<key>',
  )
  return z.NEVER
})

/** An address that a request can have: `fetch` refuses one with a user, and names it in its error. */
const requestUrl = z.url({ protocol: /^https?$/ }).refine((url) => {
  // What is no address at all has its own message.
  const parsed = URL.parse(url)
  return !parsed || (parsed.username === '' && parsed.password === '')
}, 'Expected an address without user and password')

/** Settings of the keys that are not in the environment itself. */
const keySettings = {
  KEYSTORE_PASSPHRASE: z.string().optional().meta({
    description: 'Passphrase of every `keystore:` file. It is safer in a file: use the next variable.',
  }),
  KEYSTORE_PASSPHRASE_FILE: z.string().optional().meta({
    description: 'File with the passphrase of every `keystore:` file. A final line break is ignored.',
  }),
  SIGNER_URL: z
    .url({ protocol: /^https?$/, error: 'Expected an http or https URL' })
    .optional()
    .meta({
      description:
        'Address of the signer that holds the `remote:` keys: Web3Signer, or any signer with its eth1 API.',
    }),
  SIGNER_TOKEN_FILE: z.string().optional().meta({
    description: 'File with the token that the service sends to the signer (`Authorization: Bearer`).',
  }),
  SIGNER_CA_FILE: z.string().optional().meta({
    description:
      "PEM file with the authority that signed the signer's certificate. Absent: the authorities that Node trusts.",
  }),
  SIGNER_CERT_FILE: z.string().optional().meta({
    description:
      'PEM file with the client certificate for the signer (mutual TLS). It needs SIGNER_KEY_FILE.',
  }),
  SIGNER_KEY_FILE: z.string().optional().meta({ description: 'PEM file with the key of SIGNER_CERT_FILE.' }),
  SIGNER_TIMEOUT: integer(1, 60).default(10).meta({
    description: 'Maximum seconds that a remote signer or a key service may take for one signature.',
  }),
  KMS_ENDPOINT: requestUrl.optional().meta({
    description:
      'Where the API of the key service of `aws-kms:`, `gcp-kms:` or `azure-kv:` keys is reached, if not at its public address: a private endpoint, of one service.',
  }),
}

/** The tasks of a service: at least one process must perform each. */
export const serviceRoles = ['api', 'worker', 'attestor', 'settler', 'topUp'] as const

/** The tasks that a process may perform. `admin`, the console of operators, is only performed where it is named. */
const roles = [...serviceRoles, 'admin'] as const

/** RFC 8037 §2: an octet key pair with its private part. */
const privateJwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
})

/** One key, or several: the first one signs. */
const tokenKeys = z.string().transform((text, context) => {
  try {
    const one = privateJwk.transform((key) => [key])
    return z
      .union([one, z.array(privateJwk).min(1), z.object({ keys: z.array(privateJwk).min(1) })])
      .transform((given) => (Array.isArray(given) ? given : given.keys))
      .parse(JSON.parse(text))
  } catch {
    context.addIssue(
      'Expected a private JWK of Ed25519, {"kty":"OKP","crv":"Ed25519","x":"…","d":"…"}, or an array of them',
    )
    return z.NEVER
  }
})

const privateRange = z.string().transform((text, context) => {
  const range = parsePrivateRange(text)
  if (range) return range
  context.addIssue(
    'Expected ranges such as 10.1.0.0/16, within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 or fc00::/7',
  )
  return z.NEVER
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
        '`production` rejects settings that are only for development. Absent: `production` if a network of NETWORKS_FILE is not local, otherwise `development`.',
    }),
  PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port. 0 takes any free one. Absent: 3000, or a free one if 3000 is taken (the address is printed).',
  }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'Expected postgresql://…' })
    .optional()
    .meta({ description: 'PostgreSQL 15 or later. Absent: PGlite in this process, for development.' }),
  DATABASE_READ_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'Expected postgresql://…' })
    .optional()
    .meta({
      description:
        'A standby of DATABASE_URL by streaming replication, for search, history and activity ([scaling.md](scaling.md#reads-from-a-standby)). Absent, away or behind: DATABASE_URL answers.',
    }),
  DATABASE_CONNECTIONS: integer(2, 500).optional().meta({
    description:
      'Connections of this process to PostgreSQL at most; those that are idle for 30 seconds are closed. Absent: by its roles, `api` 8, `worker` 5, each other one 3, together at most 10. A command uses up to two ([how many a database needs](operations.md#connections)).',
  }),
  DATABASE_STATEMENTS: z.enum(['named', 'unnamed'], 'Expected named or unnamed').optional().meta({
    description:
      '`named`: connections to PostgreSQL keep their prepared statements, which saves a third of its work; a pooler must support it (PgBouncer with `max_prepared_statements`). Absent: `named`, and `unnamed` if a pooler answers ([database.md](database.md#poolers)).',
  }),
  OPERATIONS_ARCHIVE_AFTER: integer(30, 3_650).optional().meta({
    description:
      'Days after which final operations move to a partition of their month ([scaling.md](scaling.md#partitions-by-month)). Absent: never.',
  }),
  DATA_DIR: z.string().optional().meta({
    description:
      'Folder for the files of PGlite and the local networks. Absent: everything is in memory, and each start begins empty.',
  }),
  NETWORKS_FILE: z
    .string()
    .optional()
    .meta({ description: 'JSON file with the networks. Absent: the service starts three local networks.' }),
  PREFLIGHT: z.enum(['refuse', 'warn', 'off'], 'Expected refuse, warn or off').default('refuse').meta({
    description:
      'What the start does if a network that is not local differs from its configuration. `refuse` does not start if funds could be lost (another chain, other code at an address), and logs the rest. `warn` logs everything. `off` does not check. `lanyard preflight` checks at any time.',
  }),
  DEVNET_PORT: integer(1, 65_533)
    .default(8545)
    .meta({ description: 'First of three consecutive ports for the local networks.' }),
  API_KEYS: list.pipe(z.array(apiKey)).default([]).meta({
    description:
      'Secret keys of servers: comma-separated `name:secret`, or only secrets, of at least 16 characters. If set, every request needs a key. Keys with the same name count as one caller, and so do all keys without a name: they share rate limits and Idempotency-Keys. `lanyard keys create` makes more keys, also for browsers. Production needs at least one secret key, from here or from the command.',
  }),
  ALLOW_ANONYMOUS: flag
    .default(false)
    .meta({ description: '`true`: anyone may call the service without a key, even in production.' }),
  WALLET: z.stringbool({ error: 'Expected true or false' }).default(true).meta({
    description:
      '`false` serves no web wallet. If requests need a key, the pages of the wallet get a publishable one, so whoever can open the wallet can call the endpoints that it needs.',
  }),
  ALLOW_PGLITE: flag.default(false).meta({
    description: '`true` lets a production service run on PGlite, which loses data if the power fails.',
  }),
  BRAND_FILE: z.string().optional().meta({
    description:
      "JSON file with the wallet's name, logo, colours, links, tokens, features and language ([brand the wallet](brand.md)). Absent: Lanyard's own.",
  }),
  RP_ID: z.hostname().default('localhost').meta({
    description:
      'The domain of passkeys (WebAuthn relying party ID). It must not change once passkey accounts exist.',
  }),
  ORIGINS: list.pipe(z.array(origin)).default([]).meta({
    description:
      'Comma-separated origins of browser apps that may call the service (CORS) and run passkey ceremonies. `/.well-known/webauthn` lists those outside RP_ID (related origins). Absent: the service itself on localhost, or https on RP_ID.',
  }),
  CREDENTIAL_IDS: z.enum(['named', 'hidden'], 'Expected named or hidden').default('named').meta({
    description:
      "`hidden`: options of ceremonies name a user's passkeys only to the user's own token, so knowing a username reveals no credential IDs (WebAuthn L3 §14.6.3). Sign-in then needs a passkey that the device finds by itself (a discoverable one, as all phones, browsers and password managers make), and a device that still holds a passkey replaces it if its user begins a recovery there. `named`: the device is told which passkeys count.",
  }),
  RESERVED_USERNAMES: list.default([...reservedUsernames]).meta({
    description:
      'Comma-separated names that no new user may take, neither alone nor with each other or with other characters than letters and digits, and no name that looks like them. It replaces the default. Existing users keep their names.',
  }),
  IOS_APPS: list.pipe(z.array(iosApp)).default([]).meta({
    description:
      'Comma-separated `<team>.<bundle>`: iOS apps that may use the passkeys of RP_ID. `/.well-known/apple-app-site-association` names them, and ceremonies may name `https://` and RP_ID as their origin. `lanyard preflight` reads the file as Apple does ([apps on phones](guides/apps-on-phones.md)).',
  }),
  ANDROID_APPS: list.pipe(z.array(androidApp)).default([]).meta({
    description:
      'Comma-separated `<package>:<SHA-256>`: Android apps that may use the passkeys of RP_ID, each with the fingerprint of the certificate that signs it. `/.well-known/assetlinks.json` names them, and the origin of their ceremonies follows from the fingerprint. `lanyard preflight` reads the file as Google does.',
  }),
  IDENTITY_PROVIDERS: identityProviders.default([]).meta({
    description:
      'Identity providers whose login names a user ([sign in with your login](guides/sign-in-with-your-login.md)): a JSON array of `{"issuer", "name", "audience"}`, and optionally `clientSecret`, `scopes` (default `openid`) and `claims` that an ID token must have, such as `{"hd": "example.com"}`. `audience` is the client ID there, or an array whose first one is that of the wallet. Needs IDENTITY_SECRETS. Absent: none. A login signs nothing, whatever it says.',
  }),
  IDENTITY_SECRETS: list
    .pipe(z.array(z.string().min(32, 'Each secret has at least 32 characters')).max(4, 'At most 4 secrets'))
    .default([])
    .meta({
      description:
        'Comma-separated secrets of at least 32 characters, with which the service recognises a login without storing who it is. The first one counts for new links; a link of another one moves to it when its login is used. Without them, no login finds its account any more; nothing else is lost.',
    }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'Expected fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .meta({ description: 'The lowest level that is logged.' }),
  REQUEST_LOG: integer(0, 100).default(100).meta({
    description:
      'Percentage of answered requests that are logged, at level `info`, as one line each. Failed requests (400 and above) are always logged, except 429, of which one in a hundred is.',
  }),
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port for `/metrics` without credentials, on METRICS_HOST only, for processes of any role. Absent: no such port. `/metrics` of the service itself needs a secret API key.',
  }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ description: 'Address for METRICS_PORT.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'Expected an http or https URL' })
    .optional()
    .meta({
      description: 'Base address of an OpenTelemetry collector (OTLP over HTTP). Absent: no traces.',
    }),
  TRUST_PROXY: integer(0, 16).default(0).meta({
    description:
      'Number of trusted proxies in front of the service. It decides which address of `X-Forwarded-For` counts.',
  }),
  RATE_LIMITS: z.enum(['on', 'off'], 'Expected on or off').default('on').meta({
    description:
      '`off` counts no requests, for development and benchmarks. Production rejects it. Counters are in the database if DATABASE_URL is set, otherwise in this process.',
  }),
  RATE_LIMIT_CALLS: integer(1, 1_000_000).default(1200).meta({
    description:
      'Calls a minute from one address (IPv6: from one /64) without a secret API key. Each call of a tRPC batch counts. An open wallet without its event stream makes about 40, so the default is enough for an office behind one address. `/health` does not count here.',
  }),
  RATE_LIMIT_READS: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that read chains or much of the database: new accounts, balances, deposits, exits, transfers, owners, sessions, recovery kits. An open wallet without its event stream polls about 20 times a minute.',
  }),
  RATE_LIMIT_BUILDS: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that simulate, or that search for the operation of a signature: builds, gas fees, quotes, submissions, transaction options, session grants and checks, owner changes. A person signs a few a minute. A form that estimates while someone types makes one a second.',
  }),
  RATE_LIMIT_CEREMONIES: integer(1, 1_000_000).default(300).meta({
    description:
      'Of these, calls that start or finish a ceremony: registering, signing in, adding a passkey. Each ceremony needs two.',
  }),
  RATE_LIMIT_HEALTH: integer(1, 1_000_000).default(600).meta({
    description:
      'Calls of `/health` a minute from one address, counted separately and in each process. The default is enough for several load balancers that ask once a second.',
  }),
  READ_CACHE: integer(0, 60_000).default(500).meta({
    description:
      'Milliseconds for which chain data of an account, and the result of `/health`, is shared with other callers. When this process includes an operation of the account, its data is read again. 0: shared only while it is being read.',
  }),
  RATE_LIMIT_KEY_FACTOR: integer(1, 10_000).default(10).meta({
    description:
      'How many times as much a secret API key may call and cost as an address without one, since a server calls for many users.',
  }),
  RATE_LIMIT_COST: integer(100, 100_000_000).optional().meta({
    description:
      'Milliseconds of one processor that the calls of one address may cost in a minute. They refill continuously, and bytes and simulated gas count as well ([operations](operations.md#limits)). A /24 (IPv6: /48) may cost four times as much, a secret key RATE_LIMIT_KEY_FACTOR times. A build of one call costs about 10, a read 2. Absent: 6000 in production, otherwise 60000.',
  }),
  RATE_LIMIT_BUILD_BYTES: integer(262_144, 1_000_000_000_000)
    .default(32 * 1024 * 1024)
    .meta({
      description:
        'Bytes that the builds of one address may take until they are deleted, about twenty minutes after they were built. A build takes 2.5 KiB, and two bytes for each byte of call data; half of the quota may be used at once. A /24 (IPv6: /48) may have four times as much, a secret key RATE_LIMIT_KEY_FACTOR times.',
    }),
  RELAYER_PRIVATE_KEYS: list.pipe(z.array(keySource)).default([]).meta({
    description:
      'Comma-separated keys of the embedded bundler. Each is `0x…`, `keystore:<file>`, `remote:<address>` or a key of a key service ([keys](keys.md)), and so are the next five variables. The bundler uses the first key as long as it can have more transactions in flight. Needed if a network that is not local uses the embedded bundler. Local networks use a public development key.',
  }),
  RELAYER_TREASURY_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key with which the role `topUp` fills up relayers from its own coins, on networks with `relayerRefill` ([networks](networks.md#refill-relayers)). A process with only this role needs RELAYER_PRIVATE_KEYS too, for the addresses: `remote:<address>` is enough. Absent: fund the relayers yourself.',
  }),
  OPERATOR_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key that signs orders of the smart balance. The role `api` needs it if a network that is not local has `smartBalance`. Local networks use public development keys for this and the next three variables.',
  }),
  ATTESTOR_PRIVATE_KEYS: list.pipe(z.array(keySource)).default([]).meta({
    description:
      'Comma-separated keys that attest the outcome of orders. The role `attestor` needs them. One key for each process is best.',
  }),
  SETTLER_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key that sends settlements, and pays for their gas on every network. The role `settler` needs it.',
  }),
  TOP_UP_PRIVATE_KEY: keySource.optional().meta({
    description:
      'The key with which the role `topUp` fills the gas deposit of SmartBalance, from its own coins. Absent on a real network: fill the deposit yourself with `lanyard gas-deposit add`.',
  }),
  TOP_UP_PER_HOUR: integer(1, 1_000_000).default(25).meta({
    description:
      'What the gas of orders may cost in an hour on each network, in settlement tokens. When half is gone, the gas deposit is filled up to this amount, and no more than this is added in any hour. A thief of the operator key can take the deposit, and then this amount each hour until the key is revoked.',
  }),
  ...keySettings,
  SMART_BALANCE_BASIS_POINTS: integer(0, 100).default(10).meta({
    description: 'The share of a lent amount that the operator charges, in hundredths of a percent.',
  }),
  LIQUIDITY_WARNING: integer(0, 1_000_000_000_000).default(1000).meta({
    description: 'Logs a warning if a network has fewer settlement tokens than this left to lend. 0: never.',
  }),
  EXPOSURE_WARNING: integer(0, 1_000_000_000_000).default(100_000).meta({
    description:
      'Logs a warning if more settlement tokens than this are lent on a network and not collected yet. 0: never.',
  }),
  ROLES: list
    .pipe(z.array(z.enum(roles, `Expected a comma-separated list of ${roles.join(', ')}`)).min(1))
    .default([...serviceRoles])
    .meta({
      description:
        'What this process does, comma-separated: `api` answers requests, `worker` follows operations to their end, `attestor` and `settler` handle the debits of orders, and `topUp` fills the gas deposit and relayers. Absent: all of these. `admin` serves the [console](console.md) on CONSOLE_PORT, and has to be named. Processes with different roles share one PostgreSQL and NETWORKS_FILE. At least one process must have each role besides `admin`.',
    }),
  CONSOLE_PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port of the console, for the role `admin`. 0 takes any free one. Absent: 3100, or a free one if 3100 is taken.',
  }),
  CONSOLE_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on for CONSOLE_PORT. Keep it away from the public network.' }),
  CONSOLE_ORIGIN: origin.optional().meta({
    description:
      'The address of the console in a browser. The passkeys of operators are bound to its host name, and no other page may call the console. Production needs it, with https, and outside of RP_ID: the console must not be able to ask for the passkeys of users. Absent: `http://localhost` with the port.',
  }),
  CONSOLE_RP_ID: z.hostname().optional().meta({
    description:
      'The domain of the passkeys of operators. Absent: the host name of CONSOLE_ORIGIN. Operators need a new invitation if it changes.',
  }),
  CONSOLE_PROMETHEUS_URL: z
    .url({ protocol: /^https?$/, error: 'Expected an http or https URL' })
    .optional()
    .meta({
      description:
        'Address of Prometheus, for the role `admin`: the console shows which alerts fire. Absent: it shows only what it finds in the database and on the networks.',
    }),
  CONSOLE_PASSKEYS: z.enum(['on', 'break-glass', 'off']).default('on').meta({
    description:
      'Who may sign in to the console with a passkey alone: `on` every invited operator, `break-glass` only those whom `lanyard operators invite --break-glass` made, `off` nobody. People of CONSOLE_OIDC_ISSUER never do; their passkeys only confirm acts.',
  }),
  CONSOLE_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'Expected the address of an OpenID Connect issuer' })
    .optional()
    .meta({
      description:
        'Identity provider of the operators, for the role `admin`: an OpenID Connect issuer, exactly as it writes itself in `/.well-known/openid-configuration`. Only https, except on this machine. Needs CONSOLE_OIDC_CLIENT_ID and CONSOLE_OIDC_ROLES. Absent: operators sign in with passkeys only.',
    }),
  CONSOLE_OIDC_CLIENT_ID: z.string().optional().meta({
    description:
      'The console as the identity provider knows it. Its redirect address there is `/sso/callback` under CONSOLE_ORIGIN, and `/` after a sign-out.',
  }),
  CONSOLE_OIDC_CLIENT_SECRET: z.string().min(8, 'At least 8 characters').optional().meta({
    description:
      'Secret of that client, sent as HTTP Basic (`client_secret_basic`). Absent: a public client, which PKCE alone protects.',
  }),
  CONSOLE_OIDC_NAME: z.string().max(40, 'At most 40 characters').optional().meta({
    description:
      'What the sign-in calls the identity provider: `Continue with …`. Absent: the host of the issuer.',
  }),
  CONSOLE_OIDC_SCOPES: z.string().default('openid profile offline_access').meta({
    description:
      'Scopes that the console asks for, with spaces. The provider must give a refresh token, which most do for `offline_access`: with it the console sees within a minute that access was taken away.',
  }),
  CONSOLE_OIDC_GROUPS_CLAIM: z.string().default('groups').meta({
    description: 'The claim with the groups of a person: a list of texts, in the ID token or at UserInfo.',
  }),
  CONSOLE_OIDC_ROLES: roleMapping.optional().meta({
    description:
      'Which groups have which role, comma-separated: `lanyard-admins=admin,support=viewer`. Of several, the highest counts. A person in none of them has no access.',
  }),
  CONSOLE_APPROVALS: list.default([]).meta({
    description:
      'Acts in the console that a second operator with the same role has to approve, comma-separated: `keys.create:full,policies.save,webhooks.redeliver`. The [console](console.md#a-second-person) lists their names. As soon as one is named, `operators.invite`, `operators.changeRole` and `operators.confirmPasskey` wait, too. Empty: none.',
  }),
  CONSOLE_BREAK_GLASS_ALONE: flag.default(false).meta({
    description:
      'Whether a break-glass operator acts without the second person of CONSOLE_APPROVALS. The audit log says so each time.',
  }),
  SHUTDOWN_DELAY: integer(0, 300).default(0).meta({
    description:
      'Seconds after SIGTERM during which the service still answers, while `/health` says 503 `draining`. Set it to the time that a load balancer in front takes to notice.',
  }),
  INCLUSION_TIMEOUT: integer(1, 600)
    .default(30)
    .meta({ description: 'Seconds that submit waits for inclusion before it answers 504.' }),
  MIGRATE_ON_START: flag.default(true).meta({
    description:
      '`false`: the process does not change the database schema. It refuses to start until `lanyard migrate` has updated it.',
  }),
  RP_CHANGE: z.enum(['refuse', 'allow'], 'Expected refuse or allow').default('refuse').meta({
    description:
      '`allow` starts even if RP_ID or ORIGINS differ from those of existing passkeys. Passkeys of another RP_ID stop working.',
  }),
  WEBHOOK_PRIVATE_RANGES: list.pipe(z.array(privateRange)).default([]).meta({
    description:
      'Comma-separated private ranges that webhooks may reach besides the public internet, such as `10.1.0.0/16` for a VPC. Over https, as everywhere. Absent: none, unless all networks are local.',
  }),
  SCREENING_URL: requestUrl.optional().meta({
    description:
      'Asked before the service sponsors, lends for or sends an operation: it allows, denies or holds ([screening](screening.md)). Needs SCREENING_SECRET.',
  }),
  SCREENING_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'Expected whsec_ and base64 of 24 bytes or more')
    .optional()
    .meta({ description: 'Signs the requests to SCREENING_URL (Standard Webhooks): `whsec_…`.' }),
  SCREENING_TIMEOUT: integer(1, 10).default(2).meta({
    description: 'Maximum seconds that SCREENING_URL may take for one answer.',
  }),
  SCREENING_FAILURE: z.enum(['deny', 'allow']).default('deny').meta({
    description:
      'What happens if SCREENING_URL does not answer in time, or not as documented. `deny`: 503, and the caller tries again. `allow`: the operation goes on, and the audit log says so.',
  }),
  PRICE_SOURCE: z
    .union([z.literal('chainlink'), requestUrl], 'Expected chainlink, or an http or https URL')
    .optional()
    .meta({
      description:
        'Where prices in US dollars come from, which the wallet shows beside amounts and which decide nothing: `chainlink` reads `priceFeeds` of the networks, an address is asked once a minute ([prices](prices.md)). Absent: the wallet shows no prices.',
    }),
  AUDIT_WEBHOOK_URL: requestUrl.optional().meta({
    description:
      'Where the audit log is sent as it grows: POST requests with lines of JSON, in order and at least once, from its first act on ([operations](operations.md#the-audit-log-leaves-the-house)). Needs AUDIT_WEBHOOK_SECRET.',
  }),
  AUDIT_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'Expected whsec_ and base64 of 24 bytes or more')
    .optional()
    .meta({ description: 'Signs the requests to AUDIT_WEBHOOK_URL (Standard Webhooks): `whsec_…`.' }),
  AUDIT_FILE: z.string().min(1).optional().meta({
    description:
      'A file to which the audit log is appended as it grows, one line of JSON for each act, for a collector that reads files. The process with the role `worker` writes it.',
  }),
  TOKEN_KEY: tokenKeys.optional().meta({
    description:
      'The private key that signs user tokens: a JWK of Ed25519 as JSON, or an array of them: the first one signs, all verify ([how to replace it](keys.md#replacing-the-token-key)). The key that encrypts webhook secrets is derived from it. Absent: the service makes a key and keeps it in the database, and stores those secrets unencrypted. Production needs it.',
  }),
  TOKEN_LIFETIME: integer(5, 129_600).default(60).meta({
    description:
      'Minutes for which a sign-in lasts. A user token cannot move money, but it reads the private data of its user. With more than an hour, the wallet also stays signed in when its last tab closes. Tokens that exist keep their end.',
  }),
  SPONSORED_DEPLOYMENTS: integer(0, 100_000).optional().meta({
    description:
      'How many accounts `deployWallet=true` may deploy a day (UTC) for one API key, on each network with the embedded bundler. Its relayer pays. All callers without a key share one budget. Absent: 100 on local networks, none on real ones. 0: none.',
  }),
  ACCOUNT_MODULES: list
    .pipe(z.array(z.enum(['ownership'])))
    .default([])
    .meta({
      description:
        "Modules that new accounts are created with, besides Safe4337Module: `ownership`, so that owner changes and guardians hold on every network from the start ([guardians](guardians.md)). It is not audited. They are part of an account's address, so the value is fixed with the first account, and clients recompute addresses with `deployment` (`findDeployment` of `@lanyard/client`). Each network must name `ownership`. Absent: none.",
    }),
  SPONSORED_OWNER_CHANGES: integer(0, 100_000).optional().meta({
    description:
      "How many transactions a day (UTC) the embedded bundler's relayer sends on each network to apply owner changes that were submitted by one API key, and as many to start, cancel and execute recoveries; at most 8 of each for one account. All callers with a publishable key share one budget, as do all without a key; addresses of one network (/24, or /48 of IPv6) may use a quarter of what is left of it. The cancellation of a recovery that runs needs no budget, once for each, and eight times a day for one account. Absent: 100 on local networks, none on real ones: there, anyone may send them. 0: none.",
  }),
  POLICIES_FILE: z.string().optional().meta({
    description:
      'JSON file with the gas policies. They say for which operations `paymasterData: "sponsored"` makes the service pay, for which orders without debits it pays if their calls revert, and how much ([gas policies](gas-policies.md)). Absent: the service pays on local networks (10 ether a day, 1 ether for an account), and nothing on real ones.',
  }),
})

export type Variables = z.output<typeof variables>
