import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'

/** Whether an owner signed a change of this sequence here, which cancels each recovery of it on every network. */
export async function isSuperseded(
  database: Kysely<Database>,
  account: Address,
  sequence: bigint,
): Promise<boolean> {
  const change = await database
    .selectFrom('owner_changes')
    .select('hash')
    .where('account', '=', account.toLowerCase())
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return change !== undefined
}
