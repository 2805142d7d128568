import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '@lanyard/database'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../platform/environment/env.ts'
import { prepareSchema } from '../../platform/prepare-schema.ts'
import { terminal } from './terminal.ts'

/**
 * Opens the service's database for one command, without changing its schema.
 *
 * @throws ConfigurationError when no database is configured: an in-memory one would be lost when the command
 * ends
 */
export async function openCliDatabaseAsItIs(): Promise<OpenDatabase> {
  const { env, database } = terminal()
  if (database) return { ...database, close: stayOpen, [Symbol.asyncDispose]: stayOpen }
  const { DATABASE_URL, DATA_DIR } = readCliEnv(env)
  if (DATABASE_URL === undefined && DATA_DIR === undefined) {
    throw new ConfigurationError('The environment', ['DATABASE_URL: needed unless DATA_DIR is set'])
  }
  return openDatabase({
    url: DATABASE_URL,
    maxConnections: 2,
    dataDir: DATA_DIR === undefined ? undefined : join(DATA_DIR, 'database'),
  })
}

const stayOpen = async () => {}

/**
 * Opens the database and migrates it to this version's schema: the first key of a production service is
 * created before the service has ever started.
 *
 * @throws ConfigurationError also when the schema is older and only `lanyard migrate` may change it
 */
export async function openCliDatabase(): Promise<OpenDatabase> {
  const database = await openCliDatabaseAsItIs()
  try {
    await prepareSchema(database.db, readCliEnv(terminal().env))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
