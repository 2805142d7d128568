import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, SponsorshipDaysTable } from '../schema.ts'

/**
 * What the service pays for is counted by subject and window, one row each: `budget` names who or what shares it, `day` is
 * a day (UTC) or `total`. A row counts wei and operations. Gas policies, deployments and owner changes have their budgets here.
 */
export type BudgetKey = Pick<Insertable<SponsorshipDaysTable>, 'budget' | 'day'>

/** What a row counts. `taken` includes `settled`, the certain part; `promised` is for builds that may be submitted. */
export type BudgetUsage = Pick<
  Selectable<SponsorshipDaysTable>,
  'taken' | 'settled' | 'operations' | 'promised' | 'promises'
>

const usageColumns = ['taken', 'settled', 'operations', 'promised', 'promises'] as const
const countedColumns = ['budget', 'day', ...usageColumns] as const

export type CountedBudget = BudgetKey & BudgetUsage

interface Budgets {
  readonly network: number
  /** In locking order: those that fewest share come first. */
  readonly keys: readonly BudgetKey[]
}

/** The day (UTC) of a time, as budgets name it. */
export const budgetDayOf = (time: Date): string => time.toISOString().slice(0, 10)

const nothing: BudgetUsage = { taken: 0n, settled: 0n, operations: 0, promised: 0n, promises: 0 }

/**
 * Adds to budgets, or creates them. Their rows are locked until the transaction ends, so that concurrent requests never
 * exceed a limit. Only `promised` and `promises` may be negative.
 *
 * @returns the rows as they are now
 */
export async function addToBudgets(
  transaction: Transaction<Database>,
  { network, keys }: Budgets,
  change: Partial<BudgetUsage>,
): Promise<readonly CountedBudget[]> {
  if (keys.length === 0) return []
  return transaction
    .insertInto('sponsorship_days')
    .values(keys.map(({ budget, day }) => ({ ...nothing, ...change, network, budget, day })))
    .onConflict((conflict) =>
      conflict.columns(['network', 'budget', 'day']).doUpdateSet({
        taken: sql`sponsorship_days.taken + excluded.taken`,
        settled: sql`sponsorship_days.settled + excluded.settled`,
        operations: sql`sponsorship_days.operations + excluded.operations`,
        promised: sql`sponsorship_days.promised + excluded.promised`,
        promises: sql`sponsorship_days.promises + excluded.promises`,
      }),
    )
    .returning(countedColumns)
    .execute()
}

/** Changes budgets that exist, by amounts that may be negative. */
export async function changeBudgets(
  transaction: Transaction<Database>,
  { network, keys }: Budgets,
  change: Partial<BudgetUsage>,
): Promise<void> {
  const { taken, settled, operations, promised, promises } = { ...nothing, ...change }
  // One statement each keeps the locking order.
  for (const { budget, day } of keys) {
    await transaction
      .updateTable('sponsorship_days')
      .set({
        taken: sql`taken + ${taken}`,
        settled: sql`settled + ${settled}`,
        operations: sql`operations + ${operations}`,
        promised: sql`promised + ${promised}`,
        promises: sql`promises + ${promises}`,
      })
      .where('network', '=', network)
      .where('budget', '=', budget)
      .where('day', '=', day)
      .execute()
  }
}

export async function readBudgets(
  database: Kysely<Database>,
  { network, keys }: Budgets,
): Promise<readonly CountedBudget[]> {
  const unique = (values: readonly string[]) => [...new Set(values)]
  return database
    .selectFrom('sponsorship_days')
    .select(countedColumns)
    .where('network', '=', network)
    .where('day', 'in', unique(keys.map(({ day }) => day)))
    .where('budget', 'in', unique(keys.map(({ budget }) => budget)))
    .execute()
}

/** What budgets of all days have used, by network. */
export async function readTotals(
  database: Kysely<Database>,
  budgets: readonly string[],
): Promise<readonly (BudgetUsage & { readonly budget: string; readonly network: number })[]> {
  if (budgets.length === 0) return []
  return database
    .selectFrom('sponsorship_days')
    .select(['budget', 'network', ...usageColumns])
    .where('budget', 'in', budgets)
    .where('day', '=', 'total')
    .orderBy('network')
    .execute()
}

interface Counted extends BudgetKey {
  readonly network: number
}

/**
 * Takes one operation out of a budget that counts operations, if fewer than `limit` were taken. The row is locked until the
 * transaction ends.
 *
 * @returns how many are taken now; undefined if it is spent
 */
export async function takeOne(
  database: Kysely<Database>,
  { network, budget, day }: Counted,
  limit: number,
): Promise<number | undefined> {
  if (limit <= 0) return undefined
  const taken = await database
    .insertInto('sponsorship_days')
    .values({ ...nothing, network, budget, day, operations: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'budget', 'day'])
        .doUpdateSet({ operations: sql`sponsorship_days.operations + 1` })
        .where('sponsorship_days.operations', '<', limit),
    )
    .returning('operations')
    .executeTakeFirst()
  return taken?.operations
}

/** Gives back what {@link takeOne} took out of budgets of one day. */
export async function giveBackOne(
  database: Kysely<Database>,
  { network, budgets, day }: Omit<Counted, 'budget'> & { readonly budgets: readonly string[] },
): Promise<void> {
  await database
    .updateTable('sponsorship_days')
    .set({ operations: sql`operations - 1` })
    .where('network', '=', network)
    .where('day', '=', day)
    .where('budget', 'in', budgets)
    .where('operations', '>', 0)
    .execute()
}

/**
 * Deletes the budgets of past days. Totals stay, and so do days from which a build that no caller has submitted may still take.
 *
 * @returns the number of rows
 */
export async function purgeBudgets(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const deleted = await database
    .deleteFrom('sponsorship_days')
    .where(
      sql<boolean>`ctid = any (array(
        select ctid from sponsorship_days where day <> 'total' and day < ${budgetDayOf(before)}
          and promises = 0 limit ${limit}))`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
