import { LanyardError } from '@lanyard/contracts'
import type { Database, SponsorshipsTable } from '@lanyard/database'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { SponsorshipBudgets } from './require-sponsoring.ts'

type Sponsorship = Omit<Insertable<SponsorshipsTable>, 'day' | 'charged'> & { readonly created_at: Date }

/**
 * Takes the most that an operation can cost from the day's budgets. The account's row is locked by now
 * (`reserveNonce`), the day's row by taking from it, so that requests at once never exceed either. What was taken too
 * much comes back when the real cost is certain (`chargeSponsorships`), and not when a build expires here: the
 * operator's signature is out, and whoever has it can send the operation past this service.
 *
 * @throws PAYMASTER_REFUSED naming the budget
 */
export async function takeFromBudgets(
  transaction: Transaction<Database>,
  budgets: SponsorshipBudgets,
  sponsorship: Sponsorship,
): Promise<void> {
  const { network, account, reserved, created_at } = sponsorship
  const day = created_at.toISOString().slice(0, 10)
  const written = await transaction
    .insertInto('sponsorships')
    .values({ ...sponsorship, day, charged: null })
    // The identical operation, built twice within a second, costs once.
    .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
    .returning('user_op_hash')
    .executeTakeFirst()
  if (!written) return

  const { taken } = await transaction
    .selectFrom('sponsorships')
    .select(sql<bigint>`coalesce(sum(coalesce(charged, reserved)), 0)`.as('taken'))
    .where('account', '=', account)
    .where('network', '=', network)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  if (BigInt(taken) > budgets.account) throw usedUp("this account's", budgets.account)

  const left = budgets.all - BigInt(reserved)
  const counted = await transaction
    .insertInto('sponsorship_days')
    .values({ network, day, taken: reserved })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'day'])
        .doUpdateSet({ taken: sql`sponsorship_days.taken + excluded.taken` })
        .where('sponsorship_days.taken', '<=', left),
    )
    .returning('day')
    .executeTakeFirst()
  if (left < 0n || !counted) throw usedUp("the service's", budgets.all)
}

const usedUp = (whose: string, budget: bigint) =>
  new LanyardError('PAYMASTER_REFUSED', {
    message: `The operation does not fit into what is left of ${whose} daily budget for gas (${budget} wei). Fund the account, or try again tomorrow (UTC).`,
    details: { budget: String(budget) },
  })
