import { sql, type Transaction } from 'kysely'
import type { Database } from './schema.ts'

/** The advisory lock that lets one process migrate at a time. */
const migrationLock = 7_261_940_517_203n

/**
 * Makes a transaction the only one that migrates, and lets it wait as long as that takes. The lock and the settings are the
 * transaction's: behind a pooler, clients share sessions.
 */
export async function lockMigrations(transaction: Transaction<Database>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
  await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)
}
