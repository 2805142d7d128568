import type { Kysely, Selectable } from 'kysely'
import type { Database, ProcessesTable } from './schema.ts'

export type ProcessRow = Selectable<ProcessesTable>

/** Milliseconds for which a dead process is known. */
const kept = 24 * 60 * 60_000

/** Says that a process lives, and forgets those that died long ago. */
export async function renewProcess(database: Kysely<Database>, row: ProcessRow): Promise<void> {
  await database
    .insertInto('processes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: row.seen_at }))
    .execute()
  await database
    .deleteFrom('processes')
    .where('seen_at', '<', new Date(row.seen_at.getTime() - kept))
    .execute()
}

/** Forgets a process that stops. */
export async function deleteProcess(database: Kysely<Database>, id: string): Promise<void> {
  await database.deleteFrom('processes').where('id', '=', id).execute()
}

/** Those that live or died within a day, the newest first. */
export const readProcesses = (database: Kysely<Database>): Promise<readonly ProcessRow[]> =>
  database.selectFrom('processes').selectAll().orderBy('started_at', 'desc').execute()
