import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Address } from 'viem'
import type { OwnCallKind, SenderContext } from './context.ts'
import type { Lease } from './lease.ts'

/** Milliseconds. */
const hour = 3_600_000

/** Hours of which one call of the sender's own may use the parts. */
const maxHours = 24n

interface OwnCosts {
  readonly network: number
  readonly account: Address
  readonly now: Date
  /** Default: 1 */
  readonly hours?: number
  /** What was sent with it does not count. */
  readonly except?: number
}

/**
 * What an account has signed lately that its contents do not pay. Those are empty transactions, the shortfall of
 * replacements, its own calls, and settlements. Until one is mined, it counts with what it costs at most; then with what
 * it has cost. Of those with the same nonce at most one is ever mined, so the largest counts.
 *
 * @returns wei
 */
export async function sumOwnCosts(database: Kysely<Database>, costs: OwnCosts): Promise<bigint> {
  const { calls, others } = await readOwnCosts(database, costs)
  return calls + others
}

/** The same, apart for calls of the account's own. */
async function readOwnCosts(
  database: Kysely<Database>,
  { network, account, now, hours = 1, except = -1 }: OwnCosts,
): Promise<{ readonly calls: bigint; readonly others: bigint }> {
  const rows = await database
    .selectFrom('relayer_transactions')
    .select([
      sql<bigint>`coalesce(
        max(least(loss, greatest(spent - coalesce(earned, 0), 0))) filter (where state = 'mined' and spent is not null),
        max(loss))`.as('cost'),
      // An urgent one without an intent makes way for a call.
      sql<boolean>`bool_or(intent is not null or urgent)`.as('isCall'),
    ])
    .where('network', '=', network)
    .where('relayer', '=', account.toLowerCase())
    .where('created_at', '>', new Date(now.getTime() - hours * hour))
    .where('loss', '>', 0n)
    .where('nonce', '<>', except)
    .groupBy('nonce')
    .execute()
  const sum = (some: typeof rows) => some.reduce((total, { cost }) => total + BigInt(cost), 0n)
  return {
    calls: sum(rows.filter(({ isCall }) => isCall)),
    others: sum(rows.filter(({ isCall }) => !isCall)),
  }
}

type LossContext = Pick<SenderContext, 'database' | 'network' | 'now' | 'lossPerHour'>

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** The part of an hour's limit that calls of the sender's own may use. */
const partOf = (limit: bigint, kind: OwnCallKind) => (kind === 'urgent' ? (limit * 3n) / 4n : limit / 2n)

/**
 * What an account may still pay for itself within the hour, other than for calls of its own, which take at most three
 * quarters from it. Only the holder of the lease writes such rows, so no other process adds one in the meantime.
 *
 * @param nonce - what was sent with it does not count: the next transaction replaces it
 * @returns wei; negative if the limit was lowered
 */
export async function lossLeft(
  { database, network, now, lossPerHour }: LossContext,
  { relayer }: Lease,
  nonce: number,
): Promise<bigint> {
  const of = { network: network.chainId, account: relayer, now: now(), except: nonce }
  const { calls, others } = await readOwnCosts(database, of)
  return lossPerHour - others - lesser(calls, partOf(lossPerHour, 'urgent'))
}

/**
 * Whether an account may pay for a call of its own. A usual one has a half of the hourly limit. One that costs more uses
 * the halves of as many hours as it needs, so that it goes in an expensive market too, and the average stays. An urgent
 * one has three quarters, counted over a day: what was spent in this hour does not hold it back.
 */
export async function mayPayForCall(
  { database, network, now, lossPerHour }: LossContext,
  { relayer }: Lease,
  { nonce, loss, kind }: { readonly nonce: number; readonly loss: bigint; readonly kind: OwnCallKind },
): Promise<boolean> {
  const part = partOf(lossPerHour, kind)
  const isPossible = loss <= part * maxHours
  if (!isPossible) return false
  const hours = kind === 'urgent' ? maxHours : (loss + part - 1n) / part
  const spent = await sumOwnCosts(database, {
    ...{ network: network.chainId, account: relayer, now: now() },
    ...{ hours: Number(hours), except: nonce },
  })
  return spent + loss <= part * hours
}
