import { type Kysely, sql } from 'kysely'
import type { AccountLogRow, Database } from '../schema.ts'

/** The wildcard for every account. */
const everyAccount = '*'

/**
 * Records that a client listens to an account, or to all of them.
 *
 * @param account - in lower case; undefined: all
 */
export async function watchAccount(
  database: Kysely<Database>,
  { account = everyAccount, until }: { readonly account?: string | undefined; readonly until: Date },
): Promise<void> {
  await database
    .insertInto('account_watches')
    .values({ account, until })
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet({ until }).where('account_watches.until', '<', until),
    )
    .execute()
}

/** Webhook endpoints that subscribe to an event type that comes from logs. */
const listening = sql<boolean>`
  endpoint.disabled_at is null and (
    endpoint.types = '[]'
    or exists (
      select from jsonb_array_elements_text(endpoint.types) as type
      where split_part(type, '.', 1) in ('owner', 'session', 'guardian', 'recovery', 'transfer')
    )
  )`

/** Whether a stream or a webhook needs logs to be read. */
export async function hasSubscribers(database: Kysely<Database>, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from account_watches where until > ${now})
      or exists (select from webhook_endpoints as endpoint where ${listening}) as found`.execute(database)
  return rows[0]?.found ?? false
}

/**
 * The accounts whose logs are read.
 *
 * @param limit - maximum number of accounts to list
 * @returns undefined: all, or more of them than the limit
 */
export async function readSubscribedAccounts(
  database: Kysely<Database>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[] | undefined> {
  // Accounts with events that are not final stay included, so that the outcome is published too.
  const { rows } = await sql<{ address: string }>`
    with wanted as (
      select account from account_watches where until > ${now}
      union
      select case when endpoint.accounts = '[]' then ${everyAccount} else account end
      from webhook_endpoints as endpoint left join lateral jsonb_array_elements_text(endpoint.accounts) as account on true
      where ${listening}
      union
      select account from account_logs where not final
    )
    select address from accounts
    where exists (select from wanted where account = ${everyAccount})
      or address in (select account from wanted)
    limit ${limit + 1}`.execute(database)
  return rows.length > limit ? undefined : rows.map(({ address }) => address)
}

/** A log as read from the chain. */
export interface AccountLog {
  readonly blockHash: string
  readonly blockNumber: bigint
  readonly logIndex: number
  readonly txnHash: string
  /** In lower case. */
  readonly account: string
  /** `owner.added` */
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The logs of a range of blocks, and the changes that follow from them. */
export interface LogPage {
  /** The chain's current logs in that range, in chain order. */
  readonly found: readonly AccountLog[]
  /** Blocks that the chain no longer has. */
  readonly reorged: readonly string[]
  /** Blocks that no reorg can remove any more. */
  readonly final: readonly string[]
  /** The last final block up to which all logs are in this page or in an earlier one. */
  readonly readTo: bigint
  readonly now: Date
}

/**
 * Claims the next read of a network's logs, so that replicas together make no more requests than one process.
 *
 * @param until - when the next read may begin if this one does not set a time
 * @returns the last final block that was read; undefined if it is not time yet, or if the network has never
 * been read
 */
export async function beginLook(
  database: Kysely<Database>,
  network: number,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<{ readonly block: bigint | undefined } | undefined> {
  const taken = await database
    .updateTable('log_watches')
    .set({ next_look_at: until })
    .where('network', '=', network)
    .where('next_look_at', '<=', now)
    .returning('block_number')
    .executeTakeFirst()
  if (taken) return { block: BigInt(taken.block_number) }
  const other = await database
    .selectFrom('log_watches')
    .select('network')
    .where('network', '=', network)
    .executeTakeFirst()
  return other ? undefined : { block: undefined }
}

/** Starts to watch a network, from the given final block on. */
export async function startLooking(
  database: Kysely<Database>,
  network: number,
  { block, until }: { readonly block: bigint; readonly until: Date },
): Promise<void> {
  await database
    .insertInto('log_watches')
    .values({ network, block_number: Number(block), next_look_at: until })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Sets when the next read may begin. */
export async function endLook(database: Kysely<Database>, network: number, nextLookAt: Date): Promise<void> {
  await database
    .updateTable('log_watches')
    .set({ next_look_at: nextLookAt })
    .where('network', '=', network)
    .execute()
}

/** Stops watching a network that has no subscribers. The next subscriber gets only later logs. */
export async function stopLooking(database: Kysely<Database>, network: number): Promise<void> {
  await database.deleteFrom('log_watches').where('network', '=', network).execute()
}

/** Logs that a reorg may still remove, in chain order. */
export const findUnfinishedLogs = (database: Kysely<Database>, network: number): Promise<AccountLogRow[]> =>
  database
    .selectFrom('account_logs')
    .selectAll()
    .where('network', '=', network)
    .where('final', '=', false)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()

/** Passes any number of values as one parameter: a statement is limited to 65,535. */
const anyOf = (values: readonly string[]) => sql<string>`any(${[...new Set(values)]}::text[])`

/**
 * Writes a page, its events and the position of the read, in one transaction. Any process may write it again.
 */
export async function recordLogPage(
  database: Kysely<Database>,
  network: number,
  { found, reorged, final, readTo, now }: LogPage,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (reorged.length > 0) {
      await transaction
        .deleteFrom('account_logs')
        .where('network', '=', network)
        .where('block_hash', '=', anyOf(reorged))
        .where('final', '=', false)
        .execute()
    }
    if (found.length > 0) {
      const rows = found.map(({ blockHash, blockNumber, logIndex, txnHash, account, type, data }) => ({
        ...{ account, type, data, block_hash: blockHash, block_number: Number(blockNumber) },
        ...{ log_index: logIndex, txn_hash: txnHash },
      }))
      await sql`
        insert into account_logs
          (network, block_hash, log_index, block_number, txn_hash, account, type, data, seen_at)
        select ${network}::int8, block_hash, log_index, block_number, txn_hash, account, type, data, ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (
          block_hash text, log_index int4, block_number int8, txn_hash text, account text, type text, data jsonb
        )
        on conflict do nothing`.execute(transaction)
    }
    if (final.length > 0) {
      await transaction
        .updateTable('account_logs')
        .set({ final: true })
        .where('network', '=', network)
        .where('final', '=', false)
        .where('block_hash', '=', anyOf(final))
        .execute()
    }
    await transaction
      .updateTable('log_watches')
      .set({ block_number: Number(readTo) })
      .where('network', '=', network)
      .where('block_number', '<', Number(readTo))
      .execute()
  })
}

/** Deletes final logs from before a time. @returns the number deleted, at most `limit` */
export async function deleteAccountLogs(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('account_logs')
    .where(({ refTuple, selectFrom, eb }) =>
      eb(
        refTuple('network', 'block_hash', 'log_index'),
        'in',
        selectFrom('account_logs as old')
          .select(['old.network', 'old.block_hash', 'old.log_index'])
          .where('old.final', '=', true)
          .where('old.seen_at', '<=', before)
          .limit(limit)
          .$asTuple('network', 'block_hash', 'log_index'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
