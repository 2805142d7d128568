import { ConfigurationError } from './environment/configuration-error.ts'
import { type Variables, variables } from './environment/variables.ts'

/** The parsed environment. */
export type Env = Readonly<Variables>

/** What production refuses unless told explicitly. */
function productionProblems(env: Env): string[] {
  if (env.NODE_ENV !== 'production') return []
  return [
    ...(env.API_KEYS.length === 0 && !env.ALLOW_ANONYMOUS
      ? ['API_KEYS: needed in production (or ALLOW_ANONYMOUS=true, and anyone may call the service)']
      : []),
    ...(env.DATABASE_URL === undefined && !env.ALLOW_PGLITE
      ? ['DATABASE_URL: needed in production (or ALLOW_PGLITE=true, and a power cut may lose data)']
      : []),
    ...(env.TOKEN_KEY === undefined
      ? ['TOKEN_KEY: needed in production, so that a copy of the database cannot make tokens']
      : []),
    ...(env.RATE_LIMITS === 'off'
      ? ['RATE_LIMITS: cannot be off in production; raise the limits instead']
      : []),
    ...(env.CRASH_AT !== undefined ? ['CRASH_AT: is for tests, and refused in production'] : []),
  ]
}

/**
 * Parses the environment: the only place that reads it.
 *
 * @throws ConfigurationError listing every problem at once; values are never repeated, since some are secrets
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(present)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new ConfigurationError('The environment', problems)
  }
  const problems = productionProblems(parsed.data)
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
  return parsed.data
}
