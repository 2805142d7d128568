import {
  addToBudgets,
  type BudgetKey,
  type BudgetScope,
  type BudgetSpan,
  budgetDayOf,
  type CountedBudget,
  changeBudgets,
  type Database,
  policyBudgetName,
  promiseSponsorship,
  readBudgets,
  readTotals,
  type SponsorshipBudget,
  type SponsorshipPayment,
  type SponsorshipRow,
  type SponsorshipsTable,
  sponsorshipBudgets,
} from '@lanyard/database'
import type { Insertable, Kysely, Transaction } from 'kysely'

type Sponsorship = Omit<
  Insertable<SponsorshipsTable>,
  'day' | 'charged' | 'policy' | 'builder' | 'taken' | 'verdict'
> &
  Pick<SponsorshipRow, 'policy' | 'builder' | 'created_at'>

/** What may be taken from a budget. Absent bounds mean no limit. */
interface Limit {
  readonly wei?: bigint | undefined
  readonly operations?: number | undefined
}

/** The bounds of a policy on one network. */
export type BudgetLimits = {
  readonly [Scope in BudgetScope]?: { readonly [Span in BudgetSpan]?: Limit | undefined } | undefined
}

/** A budget that an operation exceeds. `isPromised`: builds that nobody has submitted fill it. */
export interface Exceeded extends Limit {
  readonly scope: BudgetScope
  readonly span: BudgetSpan
  readonly isPromised?: boolean
}

/**
 * Promises the maximum cost of a build. A promise takes nothing from what others share (the API key, the
 * policy): a caller who never submits could otherwise use up their budgets. But whoever has the paymaster's
 * signature can send the operation through another service, so promises are bounded as well: those of one
 * account or caller by their own budgets, those of one caller by a share of the policy's, and all together by
 * the policy's budgets once more.
 *
 * All budgets are counted, bounded or not, so that a limit that is set later includes past spending. Counting
 * locks the rows, so concurrent requests never exceed a limit.
 *
 * @returns the exceeded budget: the caller then throws, and the transaction is rolled back
 */
export async function promiseFromBudgets(
  transaction: Transaction<Database>,
  limits: BudgetLimits,
  sponsorship: Sponsorship,
): Promise<Exceeded | undefined> {
  const day = budgetDayOf(sponsorship.created_at)
  if (!(await promiseSponsorship(transaction, { ...sponsorship, day }))) return undefined
  const budgets = sponsorshipBudgets({ ...sponsorship, day })
  const counted = await addToBudgets(transaction, budgets, { promised: sponsorship.reserved, promises: 1 })
  return findUnpromisable(budgets.keys, counted, limits, sponsorship.reserved)
}

/**
 * Takes a promised payment from its budgets, in the transaction that writes the owner's signature. The excess is
 * returned when the real cost is certain (`settleBudgets`).
 *
 * @returns the exceeded budget: the caller then throws, and the transaction is rolled back
 */
export async function takeFromBudgets(
  transaction: Transaction<Database>,
  payment: SponsorshipPayment & Pick<SponsorshipRow, 'reserved'>,
  limits: BudgetLimits = {},
): Promise<Exceeded | undefined> {
  const { reserved } = payment
  const budgets = sponsorshipBudgets(payment)
  const counted = await addToBudgets(transaction, budgets, {
    ...{ taken: reserved, operations: 1 },
    ...{ promised: -reserved, promises: -1 },
  })
  return budgets.keys
    .map((row) => exceededBy(row, limits, find(counted, row)))
    .find((exceeded) => exceeded !== undefined)
}

/** Reverts `takeFromBudgets`: the operation was refused before it was sent, and may be submitted again. */
export const returnToBudgets = (
  transaction: Transaction<Database>,
  payment: SponsorshipPayment & Pick<SponsorshipRow, 'reserved'>,
): Promise<void> =>
  changeBudgets(transaction, sponsorshipBudgets(payment), {
    ...{ taken: -payment.reserved, operations: -1 },
    ...{ promised: payment.reserved, promises: 1 },
  })

/**
 * Checks whether a build could be promised at present, without writing anything: the service does not sign
 * without a budget.
 *
 * @param cost - wei
 */
export async function peekAtBudgets(
  database: Kysely<Database>,
  limits: BudgetLimits,
  payment: SponsorshipPayment,
  cost: bigint,
): Promise<Exceeded | undefined> {
  const budgets = sponsorshipBudgets(payment)
  const found = await readBudgets(database, budgets)
  const after = budgets.keys.map(({ budget, day }) => {
    const { promised = 0n, promises = 0, ...row } = find(found, { budget, day }) ?? {}
    return {
      budget,
      day,
      taken: 0n,
      settled: 0n,
      operations: 0,
      ...row,
      promised: promised + cost,
      promises: promises + 1,
    }
  })
  return findUnpromisable(budgets.keys, after, limits, cost)
}

/**
 * Replaces the promised or taken amount of a payment with its real cost. `cost` is 0 when the operation was
 * never included, or paid for itself.
 */
export const settleBudgets = (
  transaction: Transaction<Database>,
  payment: SponsorshipPayment & Pick<SponsorshipRow, 'reserved' | 'taken'>,
  cost: bigint,
): Promise<void> => {
  const { reserved } = payment
  const isCounted = cost > 0n ? 1 : 0
  return changeBudgets(
    transaction,
    sponsorshipBudgets(payment),
    payment.taken
      ? { taken: cost - reserved, settled: cost, operations: isCounted - 1 }
      : { taken: cost, settled: cost, operations: isCounted, promised: -reserved, promises: -1 },
  )
}

const find = (counted: readonly CountedBudget[], { budget, day }: BudgetKey) =>
  counted.find((one) => one.budget === budget && one.day === day)

interface Amount {
  readonly taken: bigint
  readonly operations: number
}

/** The limit of a row, if an amount is above it. */
function exceededBy(
  { scope, span }: SponsorshipBudget,
  limits: BudgetLimits,
  amount: Amount | undefined,
): Exceeded | undefined {
  const { wei, operations } = limits[scope]?.[span] ?? {}
  if (!amount) return undefined
  if (wei !== undefined && amount.taken > wei) return { scope, span, wei }
  if (operations !== undefined && amount.operations > operations) return { scope, span, operations }
  return undefined
}

/** One caller may hold this part of a policy's budgets in builds that it has not submitted. */
const shareOfCaller = 4

/** @param counted - the rows with the build's promise, of `cost` wei */
function findUnpromisable(
  rows: readonly SponsorshipBudget[],
  counted: readonly CountedBudget[],
  limits: BudgetLimits,
  cost: bigint,
): Exceeded | undefined {
  for (const row of rows) {
    const { taken = 0n, operations = 0, promised = cost, promises = 1 } = find(counted, row) ?? {}
    const open = { taken: promised, operations: promises }
    if (row.scope === 'account' || row.scope === 'caller') {
      const all = { taken: taken + promised, operations: operations + promises }
      const exceeded = exceededBy(row, limits, all)
      if (exceeded) return exceeded
      const shared = row.scope === 'caller' && promises > 1 && exceededBy(row, sharesOf(limits), open)
      if (shared) return { ...shared, isPromised: true }
      continue
    }
    const exceeded = exceededBy(row, limits, { taken: taken + cost, operations: operations + 1 })
    if (exceeded) return exceeded
    const unsent = exceededBy(row, limits, open)
    if (unsent) return { ...unsent, isPromised: true }
  }
  return undefined
}

function sharesOf({ all }: BudgetLimits): BudgetLimits {
  const share = ({ wei, operations }: Limit = {}): Limit => ({
    wei: wei === undefined ? undefined : wei / BigInt(shareOfCaller),
    operations: operations === undefined ? undefined : Math.ceil(operations / shareOfCaller),
  })
  return { caller: { day: share(all?.day), total: share(all?.total) } }
}

/** What a policy has spent on a network in total, and what its pending operations may still cost, in wei. */
export interface Spent {
  readonly policy: string
  readonly network: number
  readonly spent: bigint
  readonly reserved: bigint
  /** The maximum cost of builds that nobody has submitted. */
  readonly promised: bigint
  readonly operations: number
}

export async function readSpent(database: Kysely<Database>, policies: readonly string[]): Promise<Spent[]> {
  const ids = new Map(policies.map((id) => [policyBudgetName(id), id]))
  const rows = await readTotals(database, [...ids.keys()])
  return rows.map(({ budget, network, taken, settled, operations, promised }) => ({
    policy: ids.get(budget) ?? budget,
    network,
    spent: settled,
    reserved: taken - settled,
    promised,
    operations,
  }))
}

/** Describes the budget and when it resets. */
export function describeExceeded(
  { scope, span, wei, operations, isPromised }: Exceeded,
  owners: Readonly<Record<BudgetScope, string>>,
  now: Date,
) {
  const limit = wei === undefined ? `${operations} operations` : `${wei} wei`
  if (isPromised) {
    return {
      message: `Sponsored operations that were built and not submitted fill ${scope === 'caller' ? "this caller's share of " : ''}the budget for gas (${limit}). Submit them, try again when they have expired, or fund the account.`,
      details: { ...(wei !== undefined && { budget: String(wei) }) },
    }
  }
  const resetsAt = new Date(now)
  resetsAt.setUTCHours(24, 0, 0, 0)
  const period = span === 'day' ? 'daily' : 'whole'
  const remedy =
    span === 'day' ? `, or try again at ${resetsAt.toISOString()}, when the budget starts again` : ''
  return {
    message: `The operation does not fit into what is left of ${owners[scope]} ${period} budget for gas (${limit}). Fund the account${remedy}.`,
    details: {
      ...(wei !== undefined && { budget: String(wei) }),
      ...(span === 'day' && { resetsAt: resetsAt.toISOString() }),
    },
  }
}
