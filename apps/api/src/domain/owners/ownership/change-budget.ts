import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Address } from 'viem'
import { type ApiKey, callerName } from '../../accounts/api-keys/api-key.ts'
import { budgetCallerOf } from '../../accounts/callers/caller.ts'

/** Transactions of one kind in a day for one account and network. A recovery that is corrected once needs up to six. */
const maxOfAccount = 8

/** The part of a budget that one address may use: the visitors of a publishable key, or of none, share it. */
const addressShare = 4

/** Between the name of a budget and the caller who shares it. No name of a key contains it. */
const separator = ' '

/**
 * Who asks, as rows of changes and recoveries keep it: the name of a secret key; for others, the budget that they share,
 * and a hash of their address.
 */
export function budgetSenderOf(
  context: { readonly apiKey: ApiKey | undefined; readonly address: string },
  account: string,
): string {
  const { apiKey } = context
  if (apiKey?.kind === 'secret') return callerName(apiKey)
  return `${apiKey ? callerName(apiKey) : 'anonymous'}${separator}${budgetCallerOf(context, account)}`
}

/** What was taken out of a day's budgets, to give back. */
export interface Taken {
  readonly day: string
  readonly budgets: readonly string[]
}

interface Payment {
  readonly kind: 'change' | 'recovery'
  readonly network: number
  readonly account: Address
  /** As {@link budgetSenderOf} names it. */
  readonly sentBy: string
  /** Transactions in a day for all accounts of a key, and for all visitors together. */
  readonly budget: number
  /**
   * The recovery that runs on the network, if the transaction ends it: once for each, it needs no other budget, so that the
   * changes of other people do not keep an owner or guardians from stopping a theft.
   */
  readonly cancels: string | undefined
  readonly now: Date
}

/**
 * Takes one transaction out of the day's budgets (UTC) of an account, of its caller and of all callers of a key, on one
 * network; out of all of them or of none. A second attempt takes another one: it costs gas again.
 *
 * @returns undefined if one of them is spent
 */
export async function takeFromBudgets(
  database: Kysely<Database>,
  { kind, network, account, sentBy, budget, cancels, now }: Payment,
): Promise<Taken | undefined> {
  if (budget === 0) return undefined
  const day = now.toISOString().slice(0, 10)
  const named = (budgets: readonly (readonly [string, number])[]) =>
    budgets.map(([name, limit]) => [`owners:${network}:${name}`, limit] as const)
  const key = account.toLowerCase()
  if (cancels !== undefined) {
    const taken = await take(database, day, named([[`cancellation:${key}:${cancels}`, 1]]))
    if (taken) return taken
  }
  const [shared = sentBy, address] = sentBy.split(separator)
  return take(
    database,
    day,
    named([
      [`${kind}:${key}`, Math.min(maxOfAccount, budget)],
      ...(address === undefined
        ? []
        : [[`${kind}s:${shared}:${address}`, Math.ceil(budget / addressShare)] as const]),
      [`${kind}s:${shared}`, budget],
    ]),
  )
}

/** Rolls back what was taken before a budget that is spent. */
class Spent extends Error {
  override readonly name = 'Spent'
}

async function take(
  database: Kysely<Database>,
  day: string,
  budgets: readonly (readonly [name: string, limit: number])[],
): Promise<Taken | undefined> {
  try {
    return await database.transaction().execute(async (transaction) => {
      for (const [name, limit] of budgets)
        if (!(await takeOne(transaction, day, name, limit))) throw new Spent()
      return { day, budgets: budgets.map(([name]) => name) }
    })
  } catch (error) {
    if (error instanceof Spent) return undefined
    throw error
  }
}

async function takeOne(
  transaction: Transaction<Database>,
  day: string,
  caller: string,
  limit: number,
): Promise<boolean> {
  const taken = await transaction
    .insertInto('sponsored_deployments')
    .values({ day, caller, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'caller'])
        .doUpdateSet(({ eb }) => ({ count: eb('sponsored_deployments.count', '+', 1) }))
        .where('sponsored_deployments.count', '<', limit),
    )
    .returning('count')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives back what an attempt took that signed nothing. */
export async function returnToBudgets(database: Kysely<Database>, { day, budgets }: Taken): Promise<void> {
  await database
    .updateTable('sponsored_deployments')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('day', '=', day)
    .where('caller', 'in', budgets)
    .where('count', '>', 0)
    .execute()
}

/** Whether the relayer has signed nothing, because the fees are too high for it now. */
export const isTooDear = (error: unknown): boolean =>
  error instanceof LanyardError && error.code === 'BUNDLER_UNAVAILABLE'
