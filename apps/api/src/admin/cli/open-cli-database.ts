import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '@lanyard/database'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../platform/environment/env.ts'
import { prepareSchema } from '../../platform/prepare-schema.ts'
import { terminal } from './terminal.ts'

/**
 * The database of the service, for one command, its schema as it is.
 *
 * @throws ConfigurationError when none is named: one in memory would be gone with the command
 */
export async function openCliDatabaseAsItIs(): Promise<OpenDatabase> {
  const { env, database } = terminal()
  if (database) return { ...database, close: stayOpen, [Symbol.asyncDispose]: stayOpen }
  const { DATABASE_URL, DATA_DIR } = readCliEnv(env)
  if (DATABASE_URL === undefined && DATA_DIR === undefined) {
    throw new ConfigurationError('The environment', ['DATABASE_URL: needed, or DATA_DIR'])
  }
  return openDatabase({
    url: DATABASE_URL,
    dataDir: DATA_DIR === undefined ? undefined : join(DATA_DIR, 'database'),
  })
}

const stayOpen = async () => {}

/**
 * The same with the schema of this version: the first key of a production service is made before the service has ever
 * started.
 *
 * @throws ConfigurationError also when the schema is an older one and only `lanyard migrate` may change it
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
