import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'

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
