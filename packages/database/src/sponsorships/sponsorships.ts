import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Database, SponsorshipRow, SponsorshipsTable, SponsorshipVerdict } from '../schema.ts'
import type { BudgetKey } from './budgets.ts'

type Hashed = Pick<SponsorshipRow, 'user_op_hash'>

/** `caller`: who asks, whatever accounts they use (`builder`). */
export type BudgetScope = 'account' | 'caller' | 'apiKey' | 'all'
export type BudgetSpan = 'day' | 'total'

/** Who pays for what, as far as budgets count it. */
export type SponsorshipPayment = Pick<
  SponsorshipRow,
  'policy' | 'caller' | 'builder' | 'account' | 'network' | 'day'
>

export interface SponsorshipBudget extends BudgetKey {
  readonly scope: BudgetScope
  readonly span: BudgetSpan
}

/** The budget for all operations of a policy, as rows name it. */
export const policyBudgetName = (policy: string): string => `policy:${policy}`

/** The budgets that a payment is taken from, in locking order: the narrow ones first. */
export function sponsorshipBudgets({ policy, caller, builder, account, network, day }: SponsorshipPayment): {
  readonly network: number
  readonly keys: readonly SponsorshipBudget[]
} {
  if (policy === null) return { network, keys: [] }
  const both = (budget: string, scope: BudgetScope): SponsorshipBudget[] => [
    { budget, day, scope, span: 'day' },
    { budget, day: 'total', scope, span: 'total' },
  ]
  const all = policyBudgetName(policy)
  return {
    network,
    keys: [
      ...both(`${all} account:${account}`, 'account'),
      ...(builder === null ? [] : both(`${all} caller:${builder}`, 'caller')),
      ...both(`${all} key:${caller}`, 'apiKey'),
      ...both(all, 'all'),
    ],
  }
}

/**
 * Writes that the service consented to pay for a build.
 *
 * @returns false if it had: the identical operation, built twice within a second, counts once
 */
export async function promiseSponsorship(
  transaction: Transaction<Database>,
  sponsorship: Omit<Insertable<SponsorshipsTable>, 'charged' | 'taken' | 'verdict'>,
): Promise<boolean> {
  const written = await transaction
    .insertInto('sponsorships')
    .values({ ...sponsorship, charged: null, taken: false })
    .onConflict((conflict) => conflict.column('user_op_hash').doNothing())
    .returning('user_op_hash')
    .executeTakeFirst()
  return written !== undefined
}

/**
 * Marks a sponsorship as one that budgets count (`taken`), or no longer.
 *
 * @returns the row; undefined if there is none, if it was so before, or if it is charged
 */
export const markTaken = (
  transaction: Transaction<Database>,
  { user_op_hash }: Hashed,
  taken: boolean,
): Promise<SponsorshipRow | undefined> =>
  transaction
    .updateTable('sponsorships')
    .set({ taken })
    .where('user_op_hash', '=', user_op_hash)
    .where('taken', '=', !taken)
    .where('charged', 'is', null)
    .returningAll()
    .executeTakeFirst()

/**
 * Writes the certain cost of a sponsorship, wei.
 *
 * @returns the row; undefined if it was charged before
 */
export const chargeSponsorship = (
  transaction: Transaction<Database>,
  { user_op_hash }: Hashed,
  cost: bigint,
): Promise<SponsorshipRow | undefined> =>
  transaction
    .updateTable('sponsorships')
    .set({ charged: cost })
    .where('user_op_hash', '=', user_op_hash)
    .where('charged', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Deletes a sponsorship whose build went with its account, if it cost nothing in the end. */
export async function deleteUnusedWithoutBuild(
  transaction: Transaction<Database>,
  { user_op_hash }: Hashed,
): Promise<void> {
  await transaction
    .deleteFrom('sponsorships')
    .where('user_op_hash', '=', user_op_hash)
    .where('charged', '=', 0n)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operations')
            .select('operations.user_op_hash')
            .where('operations.user_op_hash', '=', user_op_hash),
        ),
      ),
    )
    .execute()
}

/** @returns whether it is the first verdict */
export async function recordVerdict(
  transaction: Transaction<Database>,
  { user_op_hash }: Hashed,
  verdict: SponsorshipVerdict,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('sponsorships')
    .set({ verdict })
    .where('user_op_hash', '=', user_op_hash)
    .where('verdict', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns how many sponsorships of an account on a network got the verdict since a time */
export async function countVerdicts(
  database: Kysely<Database>,
  { network, account }: Pick<SponsorshipRow, 'network' | 'account'>,
  verdict: SponsorshipVerdict,
  since: Date,
): Promise<number> {
  const { times } = await database
    .selectFrom('sponsorships')
    .select(sql<number>`count(*)::int4`.as('times'))
    .where('network', '=', network)
    .where('verdict', '=', verdict)
    .where('created_at', '>', since)
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return times
}

/** Whether operations were paid for whose inclusion has no verdict yet and may still come. `at`: Unix seconds. */
export async function hasOpenVerdicts(
  database: Kysely<Database>,
  network: number,
  at: number,
): Promise<boolean> {
  const open = await database
    .selectFrom('sponsorships')
    .select('user_op_hash')
    .where('network', '=', network)
    .where('verdict', 'is', null)
    .where('valid_until', '>=', at)
    // A generic plan, which knows no values, uses the index for the order.
    .orderBy('valid_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

/** @returns the head of the chain when the oldest sponsorship without a cost and a verdict was built */
export async function findOldestOpenBlock(
  database: Kysely<Database>,
  network: number,
): Promise<bigint | undefined> {
  const oldest = await database
    .selectFrom('sponsorships')
    .select(({ fn }) => fn.min('built_at_block').as('block'))
    .where('network', '=', network)
    .where('verdict', 'is', null)
    .where('charged', 'is', null)
    .executeTakeFirst()
  return oldest?.block == null ? undefined : BigInt(oldest.block)
}

/** Whether a sponsorship has no certain cost, though its validity has ended by the clock. `at`: Unix seconds. */
export async function hasEndedSponsorships(
  database: Kysely<Database>,
  network: number,
  at: number,
): Promise<boolean> {
  const ended = await database
    .selectFrom('sponsorships')
    .select('user_op_hash')
    .where('network', '=', network)
    .where('charged', 'is', null)
    .where('valid_until', '<', at)
    .limit(1)
    .executeTakeFirst()
  return ended !== undefined
}

/** Sponsorships without a certain cost. The earliest expiry comes first, so that long-lived operations delay no others. */
export const findUncharged = (
  database: Kysely<Database>,
  network: number,
  limit: number,
): Promise<SponsorshipRow[]> =>
  database
    .selectFrom('sponsorships')
    .selectAll()
    .where('network', '=', network)
    .where('charged', 'is', null)
    .orderBy('valid_until')
    .limit(limit)
    .execute()

/**
 * Operations of orders that succeeded in a final block: their fee has paid, and none of their other operations can be
 * included.
 */
export const findPaidByOrders = (
  database: Kysely<Database>,
  network: number,
  limit: number,
): Promise<Hashed[]> =>
  database
    .selectFrom('sponsorships')
    .innerJoin('order_operations as operation', 'operation.user_op_hash', 'sponsorships.user_op_hash')
    .innerJoin('orders', 'orders.order_id', 'operation.order_id')
    .select('sponsorships.user_op_hash')
    .where('sponsorships.network', '=', network)
    .where('sponsorships.charged', 'is', null)
    .where('orders.state', '=', 'SETTLED')
    .limit(limit)
    .execute()

/**
 * Deletes sponsorships of builds that were never included, as a final block shows: they cost nothing.
 *
 * @returns the number of rows
 */
export async function deleteUnusedSponsorships(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sponsorships')
    .where('user_op_hash', 'in', (eb) =>
      eb
        .selectFrom('sponsorships as due')
        .innerJoin('operations', 'operations.user_op_hash', 'due.user_op_hash')
        .select('due.user_op_hash')
        .where('due.charged', '=', 0n)
        .where('operations.signature', 'is', null)
        .where('operations.build_expires_at', '<=', before)
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** What operations that pay in a token may still cost the service, or have cost it since a time: wei, their maximum cost. */
interface UnpaidExposure {
  /** Operations that were included and did not pay. */
  readonly lost: bigint
  /** Operations under way, except those that payments of their accounts cover. */
  readonly pending: OpenOperations
  /** Builds that have not been submitted, with the same exception: others can bring them to EntryPoint. */
  readonly unsent: OpenOperations
  readonly unsentOfCaller: OpenOperations
  /** Whether the operation itself counts in `pending` or `unsent`. */
  readonly counts: boolean
}

interface OpenOperations {
  /** wei */
  readonly cost: bigint
  readonly operations: number
}

/** The operation that asks. Its row may not be written yet. */
export interface ChargedOperation extends Pick<SponsorshipRow, 'network' | 'account' | 'builder'> {
  /** Undefined before its row is written. */
  readonly user_op_hash?: string | undefined
  /** wei, its maximum cost if its row is not written yet; otherwise 0 */
  readonly cost: bigint
}

/**
 * One open operation of an account that paid more often than it did not is covered by these payments, and does not count.
 * Each loss beyond the network's limit then costs a payment before it.
 *
 * @returns zeros for a network without any
 */
export async function readUnpaidExposure(
  database: Kysely<Database>,
  { network, account, builder, user_op_hash = '', cost }: ChargedOperation,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<UnpaidExposure> {
  const at = Math.floor(now.getTime() / 1000)
  const { rows } = await sql<ExposureRow>`
    with open as (
      select user_op_hash, account, builder, taken, reserved, created_at from sponsorships
        where network = ${network} and kind = 'token' and verdict is null and charged is null
          and valid_until >= ${at}
      union all
      select '', ${account}::text, ${builder}::text, false, ${String(cost)}::numeric, ${now}::timestamptz
        where ${String(cost)}::numeric > 0
    ), ranked as (
      select *, row_number() over (partition by account order by taken desc, created_at, user_op_hash) as place from open
    ), counted as (
      select * from ranked where place > 1 or (
        select count(*) filter (where verdict = 'fair') <= count(*) filter (where verdict = 'unpaid') from sponsorships past
          where past.account = ranked.account and past.network = ${network} and past.kind = 'token')
    )
    select
      (select coalesce(sum(reserved), 0)::text from sponsorships
        where network = ${network} and verdict = 'unpaid' and created_at > ${since}) as lost,
      coalesce(sum(reserved) filter (where taken), 0)::text as pending,
      (count(*) filter (where taken))::int4 as pending_count,
      coalesce(sum(reserved) filter (where not taken), 0)::text as unsent,
      (count(*) filter (where not taken))::int4 as unsent_count,
      coalesce(sum(reserved) filter (where not taken and builder = ${builder}::text), 0)::text as unsent_of_caller,
      (count(*) filter (where not taken and builder = ${builder}::text))::int4 as unsent_of_caller_count,
      coalesce(bool_or(user_op_hash = ${user_op_hash}), false) as counts
    from counted`.execute(database)
  const [row] = rows
  const openOf = (kind: Kind): OpenOperations => ({
    cost: BigInt(row?.[kind] ?? 0),
    operations: row?.[`${kind}_count`] ?? 0,
  })
  return {
    lost: BigInt(row?.lost ?? 0),
    pending: openOf('pending'),
    unsent: openOf('unsent'),
    unsentOfCaller: openOf('unsent_of_caller'),
    counts: row?.counts ?? false,
  }
}

type Kind = 'pending' | 'unsent' | 'unsent_of_caller'

type ExposureRow = Record<'lost' | Kind, string> &
  Record<`${Kind}_count`, number> & { readonly counts: boolean }

/** Makes other transactions that compare what a network may lose wait until this one ends: policies share no row to lock. */
export async function lockUnpaidExposure(transaction: Transaction<Database>, network: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`unpaid fees ${network}`}))`.execute(transaction)
}
