import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { type Address, stringToHex } from 'viem'

/** How rows of owner changes name the kind that sets guardians. */
export const setGuardiansKind = stringToHex('setGuardians', { size: 32 })

/** Has the guardians of an account checked at a time, or earlier if they are due earlier, and daily from then on. */
export async function makeGuardianCheckDue(
  database: Kysely<Database>,
  account: Address,
  at: Date,
): Promise<void> {
  await database
    .insertInto('guardian_watches')
    .values({ account: account.toLowerCase(), next_check_at: at })
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet({
        next_check_at: sql`least(guardian_watches.next_check_at, excluded.next_check_at)`,
      }),
    )
    .execute()
}
