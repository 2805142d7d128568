import type { Engine } from '@lanyard/database'
import { type TestDatabase, testEngines } from '@lanyard/database/testing'
import { isLong } from '@lanyard/testing'
import type { Surroundings } from './run-here.ts'

/** PostgreSQL where the run has one, PGlite where it has none; the long suite takes both. */
export const cliEngines: readonly Engine[] = isLong ? testEngines() : testEngines().slice(-1)

/** A command on this database: by its address, as an operator names it, or as it is open here where it has none. */
export const on = (database: TestDatabase, env: Readonly<Record<string, string>> = {}): Surroundings =>
  database.url === undefined ? { database, env } : { env: { ...env, DATABASE_URL: database.url } }
