import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** A number of transactions that the service pays for in a day (UTC), by name. */
export interface DayBudget {
  readonly day: string
  readonly name: string
  readonly limit: number
}

export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/**
 * Takes one out of a budget. The row is locked until the transaction ends, so concurrent requests never exceed it.
 *
 * @returns how many were taken; undefined if it is spent
 */
export async function takeFromDay(
  database: Kysely<Database>,
  { day, name, limit }: DayBudget,
): Promise<number | undefined> {
  const taken = await database
    .insertInto('sponsored_deployments')
    .values({ day, caller: name, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'caller'])
        .doUpdateSet(({ eb }) => ({ count: eb('sponsored_deployments.count', '+', 1) }))
        .where('sponsored_deployments.count', '<', limit),
    )
    .returning('count')
    .executeTakeFirst()
  return taken?.count
}
