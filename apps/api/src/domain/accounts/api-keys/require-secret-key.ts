import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import type { Env } from '../../../platform/environment/env.ts'

/**
 * Production needs at least one secret key, unless the operator explicitly allows calls without a key.
 *
 * @throws ConfigurationError
 */
export async function requireSecretKey(
  { NODE_ENV, API_KEYS, ALLOW_ANONYMOUS }: Pick<Env, 'NODE_ENV' | 'API_KEYS' | 'ALLOW_ANONYMOUS'>,
  database: Kysely<Database>,
): Promise<void> {
  if (NODE_ENV !== 'production' || ALLOW_ANONYMOUS || API_KEYS.length > 0) return
  const stored = await database
    .selectFrom('api_keys')
    .select('id')
    .where('kind', '=', 'secret')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (stored) return
  throw new ConfigurationError('The environment', [
    'API_KEYS: needed in production, or a secret key from `lanyard keys create` (or set ALLOW_ANONYMOUS=true to let anyone call the service)',
  ])
}
