import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/**
 * Takes one transaction out of the day's budget (UTC) of a caller, on one network. A second attempt takes another one: it
 * costs gas again.
 *
 * @returns false if the budget is spent
 */
export async function takeFromBudget(
  database: Kysely<Database>,
  input: { readonly caller: string; readonly network: number; readonly budget: number; readonly now: Date },
): Promise<boolean> {
  const { caller, network, budget, now } = input
  if (budget === 0) return false
  const taken = await database
    .insertInto('sponsored_deployments')
    .values({ day: now.toISOString().slice(0, 10), caller: `owners:${network}:${caller}`, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'caller'])
        .doUpdateSet(({ eb }) => ({ count: eb('sponsored_deployments.count', '+', 1) }))
        .where('sponsored_deployments.count', '<', budget),
    )
    .returning('count')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives back what an attempt took that signed nothing. */
export async function returnToBudget(
  database: Kysely<Database>,
  input: { readonly caller: string; readonly network: number; readonly now: Date },
): Promise<void> {
  const { caller, network, now } = input
  await database
    .updateTable('sponsored_deployments')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('day', '=', now.toISOString().slice(0, 10))
    .where('caller', '=', `owners:${network}:${caller}`)
    .where('count', '>', 0)
    .execute()
}

/** Whether the relayer has signed nothing, because the fees are too high for it now. */
export const isTooDear = (error: unknown): boolean =>
  error instanceof LanyardError && error.code === 'BUNDLER_UNAVAILABLE'
