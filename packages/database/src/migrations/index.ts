import type { Migration } from 'kysely/migration'
import * as firstRelease from './0001-first-release.ts'

/**
 * All migrations, in the order of their names. They are listed here instead of read from the folder at run
 * time, so that bundling works. A released migration never changes. There are no down migrations: restore a
 * backup instead.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-release': firstRelease,
}
