import type { Migration } from 'kysely/migration'
import * as foundation from './0001-foundation.ts'
import * as passkeys from './0002-passkeys.ts'
import * as idempotency from './0003-idempotency.ts'

/**
 * All migrations, in the order of their names. A list, not a folder that is read at run time: it survives
 * bundling. A released migration never changes; there is no way down but a backup.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-passkeys': passkeys,
  '0003-idempotency': idempotency,
}
