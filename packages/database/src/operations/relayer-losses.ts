import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database, RelayerLossRow } from '../schema.ts'

/** Losses of which the accounts still owe something. Those of a transaction that a reorg has saved do not count. */
const isOwed = sql<boolean>`loss.owed > 0 and loss.repaid_by is null and (loss.reason = 'underpaid' or not exists (
  select from relayer_transactions tx where tx.txn_hash = loss.txn_hash and tx.state <> 'lost'))`

/** So many operations of an account are looked at for one that it has paid: a sponsored account may have any number. */
const maxExamined = 1_000

/** Not named `operations`, which is the outer statement's. */
const included = (
  network: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
) => sql`select past.user_op from operations past
  where past.account = ${account} and past.network = ${network} and past.state = 'included'`

/**
 * Whether an operation of an account was included whose gas the account itself paid: the row of one without a paymaster has
 * no such field.
 */
export const hasPaid = (network: RawBuilder<unknown>, account: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from (${included(network, account)} limit ${sql.lit(maxExamined)}) paid
    where coalesce(paid.user_op ->> 'paymasterAndData', '0x') = '0x')`

/**
 * The same, or whether any operation of it was included, if the caller has a secret key: such a caller answers for its
 * accounts, and whoever pays for all of them would otherwise have one operation at a time.
 */
const isVouchedFor = (
  network: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
  sentBy: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`case when ${sentBy} like 'key:%' then exists (${included(network, account)}) else ${hasPaid(network, account)} end`

/**
 * What an account has to answer for: `owed`, what it owes to the relayers of the network, wei; `caller_losses`, how many losses
 * since then its caller's operations have caused, that are not repaid and older than the account; and `has_paid`, whether
 * the account has paid for an operation itself (a secret key's account: whether one was included), looked up only if there are such losses, or if its owner can exchange its code.
 */
export function debtColumns(
  network: RawBuilder<unknown>,
  {
    account,
    sentBy,
    isDelegated,
    since,
  }: Record<'account' | 'sentBy' | 'isDelegated', RawBuilder<unknown>> & { readonly since: Date },
) {
  const callerLosses = sql<number>`(select count(*)::int4 from relayer_losses loss
    where loss.network = ${network} and loss.sent_by = ${sentBy} and loss.lost_at > ${since}::timestamptz and ${isOwed}
      and not exists (
        select from accounts older where older.address = ${account} and older.created_at < loss.lost_at
      ))`
  return [
    sql<bigint>`(select coalesce(sum(loss.owed), 0)::numeric from relayer_losses loss
      where loss.network = ${network} and loss.account = ${account} and ${isOwed})`.as('owed'),
    callerLosses.as('caller_losses'),
    sql<boolean>`case when ${isDelegated} or ${callerLosses} > 0 then ${isVouchedFor(network, account, sentBy)} else false end`.as(
      'has_paid',
    ),
  ] as const
}

/** What the operations of a caller made the relayers of a network lose since then, as far as it is owed, wei. */
export const lostByCaller = (
  network: RawBuilder<unknown>,
  sentBy: RawBuilder<unknown>,
  since: Date,
): RawBuilder<bigint> =>
  sql`(select coalesce(sum(loss.owed), 0)::numeric from relayer_losses loss
    where loss.network = ${network} and loss.sent_by = ${sentBy} and loss.lost_at > ${since}::timestamptz and ${isOwed})`

/** What the relayers of a network lost since then, wei, whoever owes it. */
export const lostSince = (network: RawBuilder<unknown>, since: Date): RawBuilder<bigint> =>
  sql`(select coalesce(sum(loss.wei), 0)::numeric from relayer_losses loss
    where loss.network = ${network} and loss.lost_at > ${since}::timestamptz
      and (loss.reason = 'underpaid' or not exists (
        select from relayer_transactions tx where tx.txn_hash = loss.txn_hash and tx.state <> 'lost')))`

/** What an account owes, for the operator. */
export interface AccountDebt {
  readonly network: number
  readonly account: string
  /** wei */
  readonly owed: bigint
  readonly losses: number
  readonly since: Date
}

/** What accounts owe, the largest debt first. */
export const listDebts = (database: Kysely<Database>): Promise<AccountDebt[]> =>
  database
    .selectFrom('relayer_losses as loss')
    .select(['loss.network', 'loss.account'])
    .select(({ fn }) => [
      fn.sum<bigint>('loss.owed').as('owed'),
      sql<number>`count(*)::int4`.as('losses'),
      fn.min('loss.lost_at').as('since'),
    ])
    .where(isOwed)
    .groupBy(['loss.network', 'loss.account'])
    .orderBy('owed', 'desc')
    .execute()

/**
 * Writes off what an account owes on one network. The losses stay in the ledger.
 *
 * @returns the number of losses
 */
export async function forgiveDebts(
  database: Kysely<Database>,
  { network, account }: Pick<AccountDebt, 'network' | 'account'>,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('relayer_losses as loss')
    .set({ repaid_by: 'forgiven' })
    .where('loss.network', '=', network)
    .where('loss.account', '=', account.toLowerCase())
    .where(isOwed)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Writes losses, in the transaction that writes the outcome of their bundles. A loss is written once. */
export async function recordLosses(
  transaction: Transaction<Database>,
  losses: readonly Omit<RelayerLossRow, 'repaid_by'>[],
): Promise<void> {
  if (losses.length === 0) return
  await transaction
    .insertInto('relayer_losses')
    .values(losses.map((loss) => ({ ...loss, repaid_by: null })))
    .onConflict((conflict) => conflict.columns(['txn_hash', 'user_op_hash']).doNothing())
    .execute()
}

/**
 * Forgets who sent the operations of old losses, and deletes those that nobody owes any more.
 *
 * @returns the number of rows
 */
export async function purgeLosses(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const deleted = await database
    .deleteFrom('relayer_losses')
    .where(
      sql<boolean>`ctid = any (array(select ctid from relayer_losses
        where lost_at < ${before}::timestamptz and (owed = 0 or repaid_by is not null) limit ${limit}))`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
