import { type Kysely, sql } from 'kysely'
import type { Database, EventRow } from '../schema.ts'

/** An event that has a position. */
export type PublishedEvent = EventRow & { readonly position: number }

export interface EventQuery {
  /** Returns only events after this position. */
  readonly after: number
  /** In lower case; undefined: events of all accounts. */
  readonly account?: string | undefined
  readonly limit: number
}

/** A page of events, in order. */
export async function readEvents(
  database: Kysely<Database>,
  { after, account, limit }: EventQuery,
): Promise<PublishedEvent[]> {
  const rows = await database
    .selectFrom('events')
    .selectAll()
    .where('position', '>', after)
    .$if(account !== undefined, (query) => query.where('account', '=', account ?? ''))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => (row.position === null ? [] : [{ ...row, position: row.position }]))
}

/** What the events of one operation report, oldest first, whether they are published or not. */
export async function readOperationEvents(
  database: Kysely<Database>,
  userOpHash: string,
  limit: number,
): Promise<{ readonly type: string; readonly created_at: Date; readonly txnHash: string | null }[]> {
  return database
    .selectFrom('events')
    .select(['type', 'created_at', sql<string | null>`data ->> 'txnHash'`.as('txnHash')])
    .where(sql<boolean>`data ->> 'userOpHash' = ${userOpHash}`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The last assigned position; 0: none yet. */
export async function readLastPosition(database: Kysely<Database>): Promise<number> {
  const { last } = await database.selectFrom('event_positions').select('last').executeTakeFirstOrThrow()
  return last
}

/**
 * Deletes events from before a time, and their deliveries.
 *
 * @returns the number deleted, at most `limit`
 */
export async function deleteEvents(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('events')
    .where(sql<boolean>`id = any (array(select id from events where created_at <= ${before} limit ${limit}))`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
