import { LanyardError } from '@lanyard/contracts'
import { budgetDayOf, type Database, takeOne } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { type ApiKey, callerName } from '../../accounts/api-keys/api-key.ts'
import { budgetCallerOf, callerOf, groupOf } from '../../accounts/callers/caller.ts'

/** Transactions of one kind in a day for one account and network. A recovery that is corrected once needs up to six. */
const maxOfAccount = 8

/**
 * The part of what a budget has left that addresses of one network may use: the visitors of a publishable key, or of none,
 * share it. Of what is left, so that no number of networks uses all of it quickly.
 */
const networkShare = 4

/** Between the name of a budget and the caller who shares it. No name of a key contains it. */
const separator = ' '

/**
 * Who asks, as rows of changes and recoveries keep it: the name of a secret key; for others, the budget that they share,
 * and for some weeks a hash of the network of their address.
 */
export function budgetSenderOf(
  context: { readonly apiKey: ApiKey | undefined; readonly address: string },
  account: string,
): string {
  const { apiKey } = context
  if (apiKey?.kind === 'secret') return callerName(apiKey)
  const caller = { ...context, address: groupOf(callerOf(context)) }
  return sharedSender(apiKey ? callerName(apiKey) : 'anonymous', budgetCallerOf(caller, account))
}

/** One of those who share a budget: a part of what it has left is theirs. */
export const sharedSender = (budget: string, visitor: string): string => `${budget}${separator}${visitor}`

/**
 * Whether the caller pays for what another one submitted before: with a secret key. A visitor who repeats what others signed
 * would take their budget away.
 */
export const takesOver = (sentBy: string): boolean => !sentBy.includes(separator)

/** What was taken out of a day's budgets, to give back. */
export interface Taken {
  readonly network: number
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
   * The recovery that runs on the network, if the transaction cancels it: once for each, it needs no other budget, so that
   * the changes of other people do not keep an owner or guardians from stopping a theft.
   */
  readonly cancels: string | undefined
  readonly now: Date
}

/**
 * Takes one transaction out of the day's budgets (UTC) of an account, of all callers of a key and of its caller, on one
 * network; out of all of them or of none. A second attempt takes another one: it costs gas again.
 *
 * @returns undefined if one of them is spent
 */
export async function takeFromBudgets(
  database: Kysely<Database>,
  { kind, network, account, sentBy, budget, cancels, now }: Payment,
): Promise<Taken | undefined> {
  if (budget === 0) return undefined
  const on = { network, day: budgetDayOf(now) }
  const named = (budgets: readonly (readonly [string, Limit])[]) =>
    budgets.map(([name, limit]) => [`owners:${name}`, limit] as const)
  const key = account.toLowerCase()
  if (cancels !== undefined) {
    const taken = await take(
      database,
      on,
      named([
        [`cancellation:${key}:${cancels}`, 1],
        [`cancellations:${key}`, maxOfAccount],
      ]),
    )
    if (taken) return taken
  }
  const [shared = sentBy, visitor] = sentBy.split(separator)
  return take(
    database,
    on,
    named([
      [`${kind}:${key}`, Math.min(maxOfAccount, budget)],
      [`${kind}s:${shared}`, budget],
      ...(visitor === undefined ? [] : [[`${kind}s:${shared}:${visitor}`, partOfRest] as const]),
    ]),
  )
}

/** The limit of a budget, which may depend on what the one before it has left. */
type Limit = number | ((rest: number) => number)

const partOfRest = (rest: number) => Math.ceil(rest / networkShare)

/** Rolls back what was taken before a budget that is spent. */
class Spent extends Error {
  override readonly name = 'Spent'
}

async function take(
  database: Kysely<Database>,
  on: Omit<Taken, 'budgets'>,
  budgets: readonly (readonly [name: string, limit: Limit])[],
): Promise<Taken | undefined> {
  try {
    return await database.transaction().execute(async (transaction) => {
      let rest = 0
      for (const [budget, limit] of budgets) {
        const most = typeof limit === 'number' ? limit : limit(rest)
        const taken = await takeOne(transaction, { ...on, budget }, most)
        if (taken === undefined) throw new Spent()
        rest = most - taken + 1 // with the one that was just taken
      }
      return { ...on, budgets: budgets.map(([name]) => name) }
    })
  } catch (error) {
    if (error instanceof Spent) return undefined
    throw error
  }
}

/** Gives back what an attempt took that signed nothing. */
export { giveBackOne as returnToBudgets } from '@lanyard/database'

/** Whether the relayer has signed nothing, because the fees are too high for it now. */
export const areFeesTooHigh = (error: unknown): boolean =>
  error instanceof LanyardError && error.code === 'BUNDLER_UNAVAILABLE'
