import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema.ts'

/** Runs in the given transaction, or in a new one: the caller may add to what is committed at once. */
export const inTransaction = <T>(
  database: Kysely<Database> | Transaction<Database>,
  run: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> =>
  database.isTransaction
    ? run(database as Transaction<Database>) // isTransaction says so
    : database.transaction().execute(run)
