import type { z } from 'zod'
import { describeIssue } from '../errors/describe-issue.ts'
import { type CliVariables, cliVariables } from './cli-variables.ts'
import { ConfigurationError } from './configuration-error.ts'
import { type Variables, variables } from './variables.ts'

/** The parsed environment. */
export type Env = Readonly<Variables>

/**
 * Whether this process checks tokens or opens secrets of webhooks. Attestors and the settler do neither, and need no
 * TOKEN_KEY or API_KEYS: a thief of their machine cannot sign in as anyone.
 */
export const usesTokens = ({ ROLES }: Pick<Env, 'ROLES'>): boolean =>
  ROLES.includes('api') || ROLES.includes('worker')

/** What is wrong with the address of the console. */
function consoleProblems({ ROLES, CONSOLE_ORIGIN, CONSOLE_RP_ID, RP_ID }: Env): string[] {
  if (!ROLES.includes('admin')) return []
  if (CONSOLE_ORIGIN === undefined) return ['CONSOLE_ORIGIN: needed in production for the role admin']
  const { hostname, protocol } = new URL(CONSOLE_ORIGIN)
  const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
  return [
    ...(protocol === 'https:' || hostname === 'localhost'
      ? []
      : ['CONSOLE_ORIGIN: https is needed, because browsers run no passkey ceremony without it']),
    // A page may ask for the passkeys of its own domain and of those above it (WebAuthn L3 §5.1.3, step 8).
    ...(hostname !== 'localhost' && isWithin(hostname, RP_ID)
      ? [
          `CONSOLE_ORIGIN: must be outside of RP_ID (${RP_ID}), so that the console cannot ask for the passkeys of users`,
        ]
      : []),
    ...(CONSOLE_RP_ID === undefined || isWithin(hostname, CONSOLE_RP_ID)
      ? []
      : ['CONSOLE_RP_ID: must be the host name of CONSOLE_ORIGIN, or a domain above it']),
  ]
}

/** Settings that need each other. */
const unpaired = (env: Env): string[] =>
  (['AUDIT_WEBHOOK', 'SCREENING'] as const).flatMap((name) => {
    const [url, secret] = [env[`${name}_URL`], env[`${name}_SECRET`]]
    if ((url === undefined) === (secret === undefined)) return []
    return url === undefined
      ? [`${name}_SECRET: set ${name}_URL too, or remove it`]
      : [`${name}_URL: needs ${name}_SECRET, so that its receiver can tell who asks`]
  })

/** Identities are recognised by a secret that stays the same, so the service makes none. */
const identityProblems = ({ IDENTITY_PROVIDERS, IDENTITY_SECRETS }: Env): string[] =>
  IDENTITY_PROVIDERS.length > 0 && IDENTITY_SECRETS.length === 0
    ? ['IDENTITY_SECRETS: needed by IDENTITY_PROVIDERS']
    : []

/** Settings of the identity provider that need each other. */
function providerProblems(env: Env): string[] {
  const { CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_ROLES, CONSOLE_PASSKEYS } = env
  if (CONSOLE_OIDC_ISSUER === undefined) {
    return [
      ...(CONSOLE_OIDC_CLIENT_ID === undefined && CONSOLE_OIDC_ROLES === undefined
        ? []
        : ['CONSOLE_OIDC_ISSUER: needed by CONSOLE_OIDC_CLIENT_ID and CONSOLE_OIDC_ROLES']),
      ...(CONSOLE_PASSKEYS === 'off'
        ? ['CONSOLE_PASSKEYS: off needs CONSOLE_OIDC_ISSUER, or nobody can sign in to the console']
        : []),
    ]
  }
  const { protocol, hostname } = new URL(CONSOLE_OIDC_ISSUER)
  return [
    ...(protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
      ? []
      : ['CONSOLE_OIDC_ISSUER: https is needed, except on this machine']),
    ...(CONSOLE_OIDC_CLIENT_ID === undefined
      ? ['CONSOLE_OIDC_CLIENT_ID: needed by CONSOLE_OIDC_ISSUER']
      : []),
    ...((CONSOLE_OIDC_ROLES?.length ?? 0) === 0
      ? ['CONSOLE_OIDC_ROLES: needed by CONSOLE_OIDC_ISSUER; without it, nobody has a role']
      : []),
  ]
}

/** Settings that production rejects unless they are explicitly allowed. */
function productionProblems(env: Env): string[] {
  if (env.NODE_ENV !== 'production') return []
  return [
    ...consoleProblems(env),
    ...(env.DATABASE_URL === undefined && !env.ALLOW_PGLITE
      ? [
          'DATABASE_URL: needed in production (or set ALLOW_PGLITE=true, and accept that a power failure may lose data)',
        ]
      : []),
    ...(env.TOKEN_KEY === undefined && usesTokens(env)
      ? ['TOKEN_KEY: needed in production, so that nobody can make tokens from a copy of the database']
      : []),
    ...(env.RATE_LIMITS === 'off'
      ? ['RATE_LIMITS: cannot be off in production; raise the limits instead']
      : []),
  ]
}

/**
 * Parses the environment. This is the only place that reads it.
 *
 * @throws ConfigurationError listing every problem; values are never repeated, since some are secrets
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const env = parse(variables, source)
  const problems = [
    ...unpaired(env),
    ...providerProblems(env),
    ...identityProblems(env),
    ...productionProblems(env),
  ]
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
  return env
}

/**
 * The environment of a service with these networks: a network that is not local implies production, unless
 * NODE_ENV says otherwise.
 *
 * @throws ConfigurationError as {@link readEnv}
 */
export function withNetworks(env: Env, networks: readonly { readonly local: boolean }[]): Env {
  if (env.NODE_ENV !== undefined) return env
  const isReal = networks.some(({ local }) => !local)
  const settled: Env = { ...env, NODE_ENV: isReal ? 'production' : 'development' }
  const problems = productionProblems(settled)
  if (problems.length === 0) return settled
  throw new ConfigurationError('The environment', [
    ...problems,
    'NODE_ENV: is not set, and a network is not local, so this counts as production (set NODE_ENV=development to change that)',
  ])
}

/** The additional variables of the command line; the service never needs the owner's key. */
export type CliEnv = Readonly<CliVariables>

/**
 * Parses the command line's variables of the environment.
 *
 * @throws ConfigurationError as {@link readEnv}
 */
export function readCliEnv(source: Readonly<Record<string, string | undefined>> = process.env): CliEnv {
  return parse(cliVariables, source)
}

/**
 * A variable that an operator's file refers to: RPC addresses contain keys, so that the file itself need not
 * contain them.
 */
export const environmentVariable = (name: string): string | undefined => process.env[name]

function parse<T extends z.ZodType>(
  schema: T,
  source: Readonly<Record<string, string | undefined>>,
): z.output<T> {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(present, { error: describeIssue })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new ConfigurationError('The environment', problems)
}
