import type { Database, SponsorshipRow, SponsorshipsTable } from '@lanyard/database'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

type Sponsorship = Omit<Insertable<SponsorshipsTable>, 'day' | 'charged' | 'policy'> &
  Pick<SponsorshipRow, 'policy' | 'created_at'>

export type BudgetScope = 'account' | 'apiKey' | 'all'
type BudgetSpan = 'day' | 'total'

/** What may be taken from a budget. Absent bounds mean no limit. */
interface Limit {
  readonly wei?: bigint | undefined
  readonly operations?: number | undefined
}

/** The bounds of a policy, or of orders, on one network. */
export type BudgetLimits = {
  readonly [Scope in BudgetScope]?: { readonly [Span in BudgetSpan]?: Limit | undefined } | undefined
}

/** A budget that an operation exceeds. */
export interface Exceeded extends Limit {
  readonly scope: BudgetScope
  readonly span: BudgetSpan
}

type Payment = Pick<SponsorshipRow, 'kind' | 'policy' | 'caller' | 'account' | 'network' | 'day'>

interface BudgetRow {
  readonly budget: string
  readonly day: string
  readonly scope: BudgetScope
  readonly span: BudgetSpan
}

/** The budget for all operations of a policy, as rows name it. */
const budgetName = (policy: string): string => `policy:${policy}`

/** The day (UTC) of a time, as budgets name it. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The rows that a payment is taken from, in locking order: the narrow ones first. */
function rowsOf({ kind, policy, caller, account, day }: Omit<Payment, 'network'>): readonly BudgetRow[] {
  if (kind === 'order') {
    return [
      { budget: `order:${caller}`, day, scope: 'apiKey', span: 'day' },
      { budget: 'order', day, scope: 'all', span: 'day' },
    ]
  }
  if (policy === null) return []
  const both = (budget: string, scope: BudgetScope): BudgetRow[] => [
    { budget, day, scope, span: 'day' },
    { budget, day: 'total', scope, span: 'total' },
  ]
  const all = budgetName(policy)
  return [
    ...both(`${all} account:${account}`, 'account'),
    ...both(`${all} key:${caller}`, 'apiKey'),
    ...both(all, 'all'),
  ]
}

/**
 * Takes one operation and its maximum cost from its budgets. All budgets are counted, bounded or not, so that
 * a limit that is set later includes past spending. Taking locks the rows, so concurrent requests never
 * exceed a limit. The excess is returned when the real cost is certain (`settleBudgets`). It is not returned
 * when a build expires here: its holder can still send the operation with the paymaster's signature through
 * another service.
 *
 * @returns the exceeded budget: the caller then throws, and the transaction is rolled back
 */
export async function takeFromBudgets(
  transaction: Transaction<Database>,
  limits: BudgetLimits,
  sponsorship: Sponsorship,
): Promise<Exceeded | undefined> {
  const day = dayOf(sponsorship.created_at)
  const written = await transaction
    .insertInto('sponsorships')
    .values({ ...sponsorship, day, charged: null })
    // The identical operation, built twice within a second, is counted once.
    .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
    .returning('user_op_hash')
    .executeTakeFirst()
  if (!written) return undefined
  return addToBudgets(transaction, { ...sponsorship, day, charged: null }, limits)
}

/** Adds the amounts of a row of `sponsorships` to the budgets. */
export async function addToBudgets(
  transaction: Transaction<Database>,
  payment: Payment & Pick<SponsorshipRow, 'reserved' | 'charged'>,
  limits: BudgetLimits = {},
): Promise<Exceeded | undefined> {
  const { network, reserved, charged } = payment
  const rows = rowsOf(payment)
  if (rows.length === 0) return undefined
  const taken = charged ?? reserved
  const values = { network, taken, settled: charged ?? 0n, operations: charged === 0n ? 0 : 1 }
  const added = await transaction
    .insertInto('sponsorship_days')
    .values(rows.map(({ budget, day }) => ({ ...values, budget, day })))
    .onConflict((conflict) =>
      conflict.columns(['network', 'budget', 'day']).doUpdateSet({
        taken: sql`sponsorship_days.taken + excluded.taken`,
        settled: sql`sponsorship_days.settled + excluded.settled`,
        operations: sql`sponsorship_days.operations + excluded.operations`,
      }),
    )
    .returning(['budget', 'day', 'taken', 'operations'])
    .execute()
  return findExceeded(rows, added, limits)
}

/**
 * Checks whether an operation fits at present, without taking anything: the service does not sign without a
 * budget.
 *
 * @param cost - wei
 */
export async function peekAtBudgets(
  database: Kysely<Database>,
  limits: BudgetLimits,
  payment: Payment,
  cost: bigint,
): Promise<Exceeded | undefined> {
  const rows = rowsOf(payment)
  const found = await database
    .selectFrom('sponsorship_days')
    .select(['budget', 'day', 'taken', 'operations'])
    .where('network', '=', payment.network)
    .where('day', 'in', [payment.day, 'total'])
    .where(
      'budget',
      'in',
      rows.map(({ budget }) => budget),
    )
    .execute()
  const after = rows.map(({ budget, day }) => {
    const row = found.find((one) => one.budget === budget && one.day === day)
    return { budget, day, taken: (row?.taken ?? 0n) + cost, operations: (row?.operations ?? 0) + 1 }
  })
  return findExceeded(rows, after, limits)
}

function findExceeded(
  rows: readonly BudgetRow[],
  counted: readonly { budget: string; day: string; taken: bigint; operations: number }[],
  limits: BudgetLimits,
): Exceeded | undefined {
  for (const { budget, day, scope, span } of rows) {
    const limit = limits[scope]?.[span]
    const count = counted.find((one) => one.budget === budget && one.day === day)
    if (!limit || !count) continue
    const { wei, operations } = limit
    if (wei !== undefined && count.taken > wei) return { scope, span, wei }
    if (operations !== undefined && count.operations > operations) return { scope, span, operations }
  }
  return undefined
}

/**
 * Replaces the reserved amount of a payment with its real cost. `cost` is 0 when the operation was never
 * included, or paid for itself.
 */
export async function settleBudgets(
  transaction: Transaction<Database>,
  payment: Payment & Pick<SponsorshipRow, 'reserved'>,
  cost: bigint,
): Promise<void> {
  const { network, reserved } = payment
  for (const { budget, day } of rowsOf(payment)) {
    await transaction
      .updateTable('sponsorship_days')
      .set({
        taken: sql`taken + ${cost - reserved}`,
        settled: sql`settled + ${cost}`,
        operations: sql`operations - ${cost === 0n ? 1 : 0}`,
      })
      .where('network', '=', network)
      .where('budget', '=', budget)
      .where('day', '=', day)
      .execute()
  }
}

/** What a policy has spent on a network in total, and what its pending operations may still cost, in wei. */
export interface Spent {
  readonly policy: string
  readonly network: number
  readonly spent: bigint
  readonly reserved: bigint
  readonly operations: number
}

export async function readSpent(database: Kysely<Database>, policies: readonly string[]): Promise<Spent[]> {
  if (policies.length === 0) return []
  const ids = new Map(policies.map((id) => [budgetName(id), id]))
  const rows = await database
    .selectFrom('sponsorship_days')
    .select(['budget', 'network', 'taken', 'settled', 'operations'])
    .where('budget', 'in', [...ids.keys()])
    .where('day', '=', 'total')
    .orderBy('network')
    .execute()
  return rows.map(({ budget, network, taken, settled, operations }) => ({
    policy: ids.get(budget) ?? budget,
    network,
    spent: settled,
    reserved: taken - settled,
    operations,
  }))
}

/** Describes the budget and when it resets. */
export function describeExceeded(
  { scope, span, wei, operations }: Exceeded,
  owners: Readonly<Record<BudgetScope, string>>,
  now: Date,
) {
  const resetsAt = new Date(now)
  resetsAt.setUTCHours(24, 0, 0, 0)
  const period = span === 'day' ? 'daily' : 'whole'
  const amount = wei === undefined ? `${operations} operations` : `${wei} wei`
  const wayOut =
    span === 'day' ? `, or try again at ${resetsAt.toISOString()}, when the budget starts again` : ''
  return {
    message: `The operation does not fit into what is left of ${owners[scope]} ${period} budget for gas (${amount}). Fund the account${wayOut}.`,
    details: {
      ...(wei !== undefined && { budget: String(wei) }),
      ...(span === 'day' && { resetsAt: resetsAt.toISOString() }),
    },
  }
}
