import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'

/** Whether a network has executed a recovery of this sequence, so that a change of it would split the networks. */
export async function isExecuted(
  database: Kysely<Database>,
  account: Address,
  sequence: bigint,
): Promise<boolean> {
  const row = await database
    .selectFrom('recovery_progress as progress')
    .innerJoin('recoveries as recovery', (join) =>
      join.onRef('recovery.account', '=', 'progress.account').onRef('recovery.hash', '=', 'progress.hash'),
    )
    .select('progress.network')
    .where('progress.account', '=', account.toLowerCase())
    .where('recovery.sequence', '=', sequence)
    .where('progress.state', '=', 'executed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
