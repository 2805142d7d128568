import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'

/** Stands for every account. */
const everyAccount = '*'

/**
 * Notes that somebody listens to an account, or to all of them.
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

/** Endpoints of webhooks that want to hear of some type that logs tell of. */
const listening = sql<boolean>`
  endpoint.disabled_at is null and (
    endpoint.types = '[]'
    or exists (
      select from jsonb_array_elements_text(endpoint.types) as type
      where split_part(type, '.', 1) in ('owner', 'session', 'transfer')
    )
  )`

/** Whether logs are read for anybody: a stream or a webhook. */
export async function hasSubscribers(database: Kysely<Database>, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from account_watches where until > ${now})
      or exists (select from webhook_endpoints as endpoint where ${listening}) as found`.execute(database)
  return rows[0]?.found ?? false
}

/**
 * The accounts for which logs are read.
 *
 * @param limit - more than these are not listed
 * @returns undefined: all, or more of them than the limit
 */
export async function readSubscribedAccounts(
  database: Kysely<Database>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[] | undefined> {
  // Of what was told and is not final yet, the end is told too.
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
