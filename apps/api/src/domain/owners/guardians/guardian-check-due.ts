import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'

/** Has the guardians of an account checked now, and daily from then on. */
export async function makeGuardianCheckDue(
  database: Kysely<Database>,
  account: Address,
  now: Date,
): Promise<void> {
  await database
    .insertInto('guardian_watches')
    .values({ account: account.toLowerCase(), next_check_at: now })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ next_check_at: now }))
    .execute()
}
