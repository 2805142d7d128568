import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** One pass looks at this many operations of a network; the next pass goes on. */
const passSize = 500

/** Signed operations of a network whose state can still change, the longest waiting first. */
export async function findUnfinished(database: Kysely<Database>, network: number): Promise<OperationRow[]> {
  return database
    .selectFrom('operations')
    .selectAll()
    .where('network', '=', network)
    .where('final', '=', false)
    .where('state', '<>', 'built')
    .where('signature', 'is not', null)
    .orderBy('signed_at')
    .limit(passSize)
    .execute()
}
