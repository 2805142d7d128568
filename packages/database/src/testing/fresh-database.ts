import { noteStarted, tier } from '@lanyard/testing'
import { inject } from 'vitest'
import { openPGlite } from '../engines/open-pglite.ts'
import { silentLog } from '../log.ts'
import { openDatabase } from '../open-database.ts'
import type { Engine, OpenDatabase } from '../opened-database.ts'
import { leasePGlite } from './pglite-pool.ts'
import { leasePostgres } from './postgres-pool.ts'
import './provided-context.ts'
import { administer, databaseUrl, testDatabaseName } from './test-server.ts'

export interface TestDatabase extends OpenDatabase {
  /** PostgreSQL only: for replicas (`openDatabase({ url })`) and programs. */
  readonly url?: string
}

/** The engines of this run. */
export function testEngines(): readonly Engine[] {
  return provided().postgres ? ['pglite', 'postgresql'] : ['pglite']
}

/**
 * The engine of a test whose subject is not the database. The fast tier runs it on PGlite, as every machine can. The others
 * run it on PostgreSQL where there is one: as most services do, and for a fifth less processor time.
 */
export const usualEngine = (): Engine => (tier === 'fast' ? 'pglite' : (testEngines().at(-1) ?? 'pglite'))

export interface FreshDatabaseOptions {
  /** False: without tables, for tests of migrations. Default: true. */
  readonly migrated?: boolean
}

/**
 * A migrated, empty database that nobody else uses. When it is disposed, another test gets it, emptied.
 *
 * ```ts
 * await using database = await freshDatabase(engine)
 * await database.db.selectFrom('users').selectAll().execute() // []
 * ```
 */
export async function freshDatabase(
  engine: Engine = usualEngine(),
  { migrated = true }: FreshDatabaseOptions = {},
): Promise<TestDatabase> {
  const { pgliteImageFile, postgres } = provided()
  noteStarted(engine === 'pglite' ? 'PGlite databases' : 'PostgreSQL databases')
  if (!migrated) noteStarted('databases without tables')
  if (engine === 'pglite') return migrated ? leasePGlite(pgliteImageFile) : openPGlite({ log: silentLog })
  if (!postgres) throw new Error('This run has no PostgreSQL: check testEngines() first.')
  if (migrated) return leasePostgres(postgres)
  const name = testDatabaseName(postgres)
  await administer(postgres, `create database ${name} template template0`)
  const url = databaseUrl(postgres, name)
  const database = await openDatabase({ url })
  return {
    ...database,
    url,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await administer(postgres, `drop database ${name} with (force)`)
    },
  }
}

function provided() {
  // inject's type does not include undefined, its value without the global set-up.
  const databases: ReturnType<typeof inject<'lanyardDatabases'>> | undefined = inject('lanyardDatabases')
  if (databases) return databases
  throw new Error(`Add globalSetup: ['@lanyard/database/testing/global-setup'] to vitest.config.ts.`)
}
