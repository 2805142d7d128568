import type { Database, OperationRow } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** So many operations of a network are looked at together. */
export const pageSize = 500

const unfinished = (database: Kysely<Database>, network: number) =>
  database
    .selectFrom('operations')
    .selectAll()
    .where('network', '=', network)
    .where('final', '=', false)
    .where('state', '<>', 'built')
    .where('signature', 'is not', null)
    .orderBy('signed_at')
    .orderBy('user_op_hash')

/**
 * Signed operations of a network whose state can still change, page by page, the longest waiting first.
 *
 * @param after - the last of the page before
 */
export function findUnfinished(
  database: Kysely<Database>,
  network: number,
  after?: OperationRow,
): Promise<OperationRow[]> {
  const rows = unfinished(database, network).limit(pageSize)
  if (!after) return rows.execute()
  return rows
    .where(sql<boolean>`(signed_at, user_op_hash) > (${after.signed_at}, ${after.user_op_hash})`)
    .execute()
}

/** Those of some operations that are still unfinished, as they are now. */
export async function readUnfinished(
  database: Kysely<Database>,
  network: number,
  rows: readonly OperationRow[],
): Promise<OperationRow[]> {
  if (rows.length === 0) return []
  const hashes = rows.map(({ user_op_hash }) => user_op_hash)
  return unfinished(database, network).where('user_op_hash', 'in', hashes).execute()
}
