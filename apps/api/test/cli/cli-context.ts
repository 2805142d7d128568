import type { Engine } from '@lanyard/database'
import { type TestDatabase, testEngines } from '@lanyard/database/testing'
import { isLong } from '@lanyard/testing'
import type { CliContext } from './run-in-process.ts'

/** PostgreSQL if the test run has it, otherwise PGlite. The long suite uses both. */
export const cliEngines: readonly Engine[] = isLong ? testEngines() : testEngines().slice(-1)

/** The context of a command on this database. A database without a URL is passed as an open connection. */
export const contextOf = (database: TestDatabase, env: Readonly<Record<string, string>> = {}): CliContext =>
  database.url === undefined ? { database, env } : { env: { ...env, DATABASE_URL: database.url } }
