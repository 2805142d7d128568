import { LanyardError } from '@lanyard/contracts'
import type { Database, SponsorshipRow, SponsorshipsTable } from '@lanyard/database'
import { type Insertable, sql, type Transaction } from 'kysely'

type Sponsorship = Omit<Insertable<SponsorshipsTable>, 'day' | 'charged'> & { readonly created_at: Date }

/** A budget of one day (UTC) on one network. */
interface DailyBudget {
  /** Whose it is, as the refusal names it. */
  readonly whose: string
  /** wei */
  readonly most: bigint
}

/** What a sponsorship is taken from. An account's budget is the sum of its rows, the others have rows of their own. */
export interface DailyBudgets {
  readonly account?: DailyBudget
  /** As {@link budgetsOf} orders them. */
  readonly shared: readonly DailyBudget[]
}

/** The shared budgets of a sponsorship, in the order in which they are locked: the narrow one first. */
export const budgetsOf = ({ kind, caller }: Pick<SponsorshipRow, 'kind' | 'caller'>): readonly string[] =>
  kind === 'order' ? [`order:${caller}`, 'order'] : ['sponsored']

/**
 * Takes the most that an operation can cost from the day's budgets. The account's row is locked by now
 * (`reserveNonce`), a shared budget's row by taking from it, so that requests at once never exceed any. What was taken
 * too much comes back when the real cost is certain (`chargeSponsorships`), and not when a build expires here: the
 * operator's signature is out, and whoever has it can send the operation past this service.
 *
 * @throws PAYMASTER_REFUSED naming the budget and when it starts again
 */
export async function takeFromBudgets(
  transaction: Transaction<Database>,
  { account, shared }: DailyBudgets,
  sponsorship: Sponsorship,
): Promise<void> {
  const { network, reserved: amount, created_at } = sponsorship
  const day = created_at.toISOString().slice(0, 10)
  const written = await transaction
    .insertInto('sponsorships')
    .values({ ...sponsorship, day, charged: null })
    // The identical operation, built twice within a second, costs once.
    .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
    .returning('user_op_hash')
    .executeTakeFirst()
  if (!written) return
  if (account && (await sumOfAccount(transaction, sponsorship, day)) > account.most) {
    throw usedUp(account, created_at)
  }
  for (const [index, budget] of budgetsOf(sponsorship).entries()) {
    const limit = shared[index]
    const taken = await addToBudget(transaction, { network, budget, day, amount, most: limit?.most })
    if (limit && !taken) throw usedUp(limit, created_at)
  }
}

async function sumOfAccount(
  transaction: Transaction<Database>,
  { account, network, kind }: Sponsorship,
  day: string,
): Promise<bigint> {
  const { taken } = await transaction
    .selectFrom('sponsorships')
    .select(sql<bigint>`coalesce(sum(coalesce(charged, reserved)), 0)`.as('taken'))
    .where('account', '=', account)
    .where('network', '=', network)
    .where('kind', '=', kind)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return BigInt(taken)
}

interface Taking {
  readonly network: number
  readonly budget: string
  readonly day: string
  /** wei; negative: gives back. */
  readonly amount: bigint
  /** wei; absent: without a bound. */
  readonly most?: bigint | undefined
}

/** @returns false when it does not fit; then nothing was taken */
export async function addToBudget(
  transaction: Transaction<Database>,
  { network, budget, day, amount, most }: Taking,
): Promise<boolean> {
  if (most !== undefined && amount > most) return false
  const taken = await transaction
    .insertInto('sponsorship_days')
    .values({ network, budget, day, taken: amount > 0n ? amount : 0n })
    .onConflict((conflict) => {
      const added = conflict
        .columns(['network', 'budget', 'day'])
        .doUpdateSet({ taken: sql`sponsorship_days.taken + ${amount}` })
      return most === undefined ? added : added.where('sponsorship_days.taken', '<=', most - amount)
    })
    .returning('day')
    .executeTakeFirst()
  return taken !== undefined
}

function usedUp({ whose, most }: DailyBudget, now: Date): LanyardError {
  const resetsAt = new Date(now)
  resetsAt.setUTCHours(24, 0, 0, 0)
  return new LanyardError('PAYMASTER_REFUSED', {
    message: `The operation does not fit into what is left of ${whose} daily budget for gas (${most} wei). Fund the account, or try again at ${resetsAt.toISOString()}, when the budget starts again.`,
    details: { budget: String(most), resetsAt: resetsAt.toISOString() },
  })
}
