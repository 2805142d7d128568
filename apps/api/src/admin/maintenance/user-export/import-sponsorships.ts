import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { addToBudgets } from '../../../domain/gas-policies/gas-budgets.ts'
import type { UserExport } from './user-export.ts'

/**
 * Imports the sponsorships of the operations that were imported before, and takes them from the budgets of
 * their day: the real cost is charged to that day later.
 *
 * @returns the number of imported sponsorships
 */
export async function importSponsorships(
  transaction: Transaction<Database>,
  sponsorships: UserExport['sponsorships'],
): Promise<number> {
  let added = 0
  for (const row of sponsorships) {
    const inserted = await transaction
      .insertInto('sponsorships')
      // Relayers of another installation sent them: nothing here can judge that.
      .values({ ...row, verdict: row.verdict ?? 'fair' })
      .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
      .returning('user_op_hash')
      .executeTakeFirst()
    if (!inserted) continue
    added++
    await addToBudgets(transaction, row)
  }
  return added
}
