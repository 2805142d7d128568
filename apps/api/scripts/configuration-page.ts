import { presets } from '@lanyard/networks'
import { z } from 'zod'
import { variables } from '../src/platform/environment/variables.ts'

/** The text of a table cell: no line breaks, no column separators. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const presetRows = Object.entries(presets)
  .map(([preset, { name, chainId }]) => `| \`${preset}\` | ${name} | ${chainId} |`)
  .join('\n')

const defaultOf = (schema: z.ZodType): string => {
  const parsed = schema.safeParse(undefined)
  if (!parsed.success || parsed.data === undefined) return ''
  if (Array.isArray(parsed.data)) return ''
  return `\`${String(parsed.data)}\``
}

type Variable = keyof typeof variables.shape

/** `secret`: belongs into a file that only its process reads. `equal`: the same in every process that has it. */
type Trait = 'secret' | 'equal'

/** Which processes read a variable, and what it must be besides. A variable without an entry does not compile. */
const groups = {
  'Every process': {
    NODE_ENV: ['equal'],
    ROLES: [],
    DATABASE_URL: ['secret'],
    DATABASE_CONNECTIONS: [],
    DATABASE_STATEMENTS: [],
    DATA_DIR: [],
    MIGRATE_ON_START: [],
    ALLOW_PGLITE: [],
    NETWORKS_FILE: ['equal'],
    POLICIES_FILE: ['equal'],
    PREFLIGHT: [],
    RP_ID: ['equal'],
    ORIGINS: ['equal'],
    IOS_APPS: ['equal'],
    ANDROID_APPS: ['equal'],
    RP_CHANGE: [],
    ACCOUNT_MODULES: ['equal'],
    BRAND_FILE: ['equal'],
    LOG_LEVEL: [],
    METRICS_PORT: [],
    METRICS_HOST: [],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['secret'],
    SHUTDOWN_DELAY: [],
    DEVNET_PORT: [],
  },
  'Role `api`: what answers callers': {
    PORT: [],
    HOST: [],
    TRUST_PROXY: ['equal'],
    API_KEYS: ['secret', 'equal'],
    ALLOW_ANONYMOUS: ['equal'],
    WALLET: ['equal'],
    CREDENTIAL_IDS: ['equal'],
    PRICE_SOURCE: ['secret', 'equal'],
    RESERVED_USERNAMES: ['equal'],
    IDENTITY_PROVIDERS: ['secret', 'equal'],
    IDENTITY_SECRETS: ['secret', 'equal'],
    TOKEN_LIFETIME: ['equal'],
    DATABASE_READ_URL: ['secret'],
    READ_CACHE: [],
    REQUEST_LOG: [],
    INCLUSION_TIMEOUT: ['equal'],
    RATE_LIMITS: ['equal'],
    RATE_LIMIT_CALLS: ['equal'],
    RATE_LIMIT_READS: ['equal'],
    RATE_LIMIT_BUILDS: ['equal'],
    RATE_LIMIT_CEREMONIES: ['equal'],
    RATE_LIMIT_HEALTH: ['equal'],
    RATE_LIMIT_KEY_FACTOR: ['equal'],
    RATE_LIMIT_COST: ['equal'],
    RATE_LIMIT_BUILD_BYTES: ['equal'],
    OPERATOR_PRIVATE_KEY: ['secret', 'equal'],
    SMART_BALANCE_BASIS_POINTS: ['equal'],
    SPONSORED_DEPLOYMENTS: ['equal'],
    SCREENING_URL: ['secret', 'equal'],
    SCREENING_SECRET: ['secret', 'equal'],
    SCREENING_TIMEOUT: ['equal'],
    SCREENING_FAILURE: ['equal'],
  },
  'Roles `api` and `worker`: both': {
    TOKEN_KEY: ['secret', 'equal'],
    RELAYER_PRIVATE_KEYS: ['secret', 'equal'],
  },
  'Role `worker`': {
    SPONSORED_OWNER_CHANGES: ['equal'],
    OPERATIONS_ARCHIVE_AFTER: ['equal'],
    WEBHOOK_PRIVATE_RANGES: ['equal'],
    AUDIT_WEBHOOK_URL: ['secret', 'equal'],
    AUDIT_WEBHOOK_SECRET: ['secret', 'equal'],
    AUDIT_FILE: [],
    LIQUIDITY_WARNING: ['equal'],
    EXPOSURE_WARNING: ['equal'],
  },
  'Roles `attestor`, `settler`, `topUp`': {
    ATTESTOR_PRIVATE_KEYS: ['secret'],
    SETTLER_PRIVATE_KEY: ['secret', 'equal'],
    TOP_UP_PRIVATE_KEY: ['secret', 'equal'],
    TOP_UP_PER_HOUR: ['equal'],
    RELAYER_TREASURY_PRIVATE_KEY: ['secret', 'equal'],
  },
  'Role `admin`: the console': {
    CONSOLE_PORT: [],
    CONSOLE_HOST: [],
    CONSOLE_ORIGIN: ['equal'],
    CONSOLE_RP_ID: ['equal'],
    CONSOLE_PROMETHEUS_URL: ['secret'],
    CONSOLE_PASSKEYS: ['equal'],
    CONSOLE_OIDC_ISSUER: ['equal'],
    CONSOLE_OIDC_CLIENT_ID: ['equal'],
    CONSOLE_OIDC_CLIENT_SECRET: ['secret', 'equal'],
    CONSOLE_OIDC_NAME: [],
    CONSOLE_OIDC_SCOPES: ['equal'],
    CONSOLE_OIDC_GROUPS_CLAIM: ['equal'],
    CONSOLE_OIDC_ROLES: ['equal'],
    CONSOLE_APPROVALS: ['equal'],
    CONSOLE_BREAK_GLASS_ALONE: ['equal'],
  },
  'Where keys are': {
    KEYSTORE_PASSPHRASE: ['secret'],
    KEYSTORE_PASSPHRASE_FILE: [],
    SIGNER_URL: ['secret'],
    SIGNER_TOKEN_FILE: [],
    SIGNER_CA_FILE: [],
    SIGNER_CERT_FILE: [],
    SIGNER_KEY_FILE: [],
    SIGNER_TIMEOUT: [],
    KMS_ENDPOINT: [],
  },
} as const satisfies Readonly<Record<string, Partial<Record<Variable, readonly Trait[]>>>>

type Grouped = { [G in keyof typeof groups]: keyof (typeof groups)[G] }[keyof typeof groups]
// Each variable is in a group.
true satisfies [Exclude<Variable, Grouped>] extends [never] ? true : never

function table(group: Readonly<Partial<Record<Variable, readonly Trait[]>>>): string {
  const rows = Object.entries(group).map(([name, traits]) => {
    const schema = variables.shape[name as Variable] // Object.entries widens it
    const description = z.globalRegistry.get(schema)?.description ?? ''
    const has = (trait: Trait) => (traits.includes(trait) ? 'yes' : '')
    return `| \`${name}\` | ${defaultOf(schema)} | ${has('secret')} | ${has('equal')} | ${cell(description)} |`
  })
  return ['| Variable | Default | Secret | Equal | Meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** docs/configuration.md: one row for each variable that the service reads, by the processes that read it. */
export function configurationPage(): string {
  const tables = Object.entries(groups).map(([title, group]) => `### ${title}\n\n${table(group)}`)
  return `<!-- Generated by apps/api/scripts/generate.ts from apps/api/src/platform/environment/variables.ts. Do not edit. -->
# Configuration

The service reads its environment once, at start. If anything is wrong, it lists every problem and does not start. An empty
variable counts as absent.

**Secret**: put it into the file of the processes that need it and nowhere else ([self-hosting.md](self-hosting.md#for-real)); logs and the audit
log never show it. **Equal**: the same value in every process that has it, because they answer the same callers, share rows, or
sign as one. Change it in all of them before you rely on it; [keys.md](keys.md#all-rotations) says in which order secrets change.

${tables.join('\n\n')}

## Networks

\`NETWORKS_FILE\` names a JSON file \`{ "networks": [ … ] }\`. For a network with a preset,
\`{ "preset": "base", "rpcUrls": ["\${BASE_RPC_URL}"] }\` is enough ([networks.md](networks.md)). \`\${NAME}\` in any text of
the file stands for an environment variable. The presets:

| Preset | Network | Chain id |
|---|---|---|
${presetRows}

This is one network in full:

\`\`\`json
{
  "chainId": 8453,
  "name": "Base",
  "rpcUrls": ["https://rpc.example/base", "https://other.example/base"],
  "finality": { "tag": "finalized" },
  "bundler": { "kind": "remote", "url": "https://bundler.example/base" },
  "explorerUrl": "https://explorer.example",
  "settlementToken": { "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "symbol": "USDC", "decimals": 6 },
  "smartBalance": "0x… as \`lanyard deploy\` prints it",
  "sessionKeys": "0x… as \`lanyard deploy-session-keys\` prints it",
  "nativePrice": { "kind": "chainlink", "feed": "0x… of native coin / USD", "maximumAge": 1800 }
}
\`\`\`

- Only \`chainId\`, \`name\` and \`rpcUrls\` are required.
- \`"bundler": { "kind": "embedded" }\` is the default, and needs \`RELAYER_PRIVATE_KEYS\`.
- \`"finality": { "confirmations": 12 }\` counts blocks, for a chain that has no finalized tag.
- With \`smartBalance\`, a network takes part in the smart balance ([how to deploy it](smart-balance.md)). It then needs
  \`settlementToken\` and \`nativePrice\`.
- \`nativePrice\` converts gas into fees. It is a Chainlink feed of native coin / USD, or
  \`{ "kind": "fixed", "price": "2500000000" }\`, in units of 6 decimals for 1 ether. With a feed, the settlement token counts as one
  USD. If its answer is older than \`maximumAge\` seconds, every quote on that network is refused.
- On a rollup, \`"l1Fee": { "kind": "op-stack" }\` (or \`"arbitrum"\`) makes operations pay for their L1 data.
- With \`ownership\`, owners change on all networks by one signature, and accounts can have [guardians](guardians.md).
- With \`sessionKeys\`, accounts can have [session keys](session-keys.md) there.
- Callers never see RPC addresses, unless \`publicRpcUrl\` names one.

## Production

If a network of NETWORKS_FILE is not local, the service counts as production, unless \`NODE_ENV\` says otherwise.
Production does not start without \`DATABASE_URL\`, or without a secret API key (in \`API_KEYS\`, or made by
\`pnpm lanyard keys create\`). \`ALLOW_PGLITE=true\` and \`ALLOW_ANONYMOUS=true\` lift these two rules. It also needs
\`TOKEN_KEY\`. [operations.md](operations.md) says what to monitor.
`
}
