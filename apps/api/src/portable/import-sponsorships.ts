import type { Database } from '@lanyard/database'
import { sql, type Transaction } from 'kysely'
import type { PortableUser } from './portable-user.ts'

/**
 * Adds what the service pays for of the operations that were imported before, and takes it from the budget of its day:
 * what it turns out to cost is charged against that one later.
 *
 * @returns how many were added
 */
export async function importSponsorships(
  transaction: Transaction<Database>,
  sponsorships: PortableUser['sponsorships'],
): Promise<number> {
  let added = 0
  for (const row of sponsorships) {
    const inserted = await transaction
      .insertInto('sponsorships')
      .values(row)
      .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
      .returning('user_op_hash')
      .executeTakeFirst()
    if (!inserted) continue
    added++
    await transaction
      .insertInto('sponsorship_days')
      .values({ network: row.network, day: row.day, taken: row.charged ?? row.reserved })
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'day'])
          .doUpdateSet({ taken: sql`sponsorship_days.taken + excluded.taken` }),
      )
      .execute()
  }
  return added
}
