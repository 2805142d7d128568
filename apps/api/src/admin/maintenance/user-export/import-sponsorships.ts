import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { addToBudgets } from '../../../domain/gas-policies/gas-budgets.ts'
import type { UserExport } from './user-export.ts'

/**
 * Adds what the service pays for of the operations that were imported before, and takes it from the budgets of its day:
 * what it turns out to cost is charged against that one later.
 *
 * @returns how many were added
 */
export async function importSponsorships(
  transaction: Transaction<Database>,
  sponsorships: UserExport['sponsorships'],
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
    await addToBudgets(transaction, row)
  }
  return added
}
