import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database } from '../schema.ts'

/** Maximum number of events that one transaction assigns positions to. */
const batchSize = 500

/**
 * Assigns positions to committed events and queues them for the webhooks that subscribe to them.
 *
 * Ids are assigned when an event is written, but transactions commit in another order. A reader that
 * remembered the highest id would miss an event that commits later. Positions are assigned only to committed
 * events, by one transaction at a time, so no event ever appears below one that was already read. The events
 * of one account are in order: a change that follows from another begins after that one is committed, and has
 * the higher id.
 *
 * @returns the number of events; may be called at any time, by any process
 */
export async function publishEvents(database: Kysely<Database>, now: Date): Promise<number> {
  let published = 0
  for (;;) {
    const waiting = await database
      .selectFrom('events')
      .select('id')
      .where('position', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (!waiting) return published
    published += await publishBatch(database, now)
  }
}

const publishBatch = (database: Kysely<Database>, now: Date): Promise<number> =>
  inTransaction(database, async (transaction) => {
    // Another process may have published some of them in the meantime: the next statement sees that.
    const { last } = await transaction
      .selectFrom('event_positions')
      .select('last')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { rows } = await sql<{ count: number }>`
      with waiting as (
        select id, ${last}::int8 + row_number() over (order by id) as position
        from (select id from events where position is null order by id limit ${batchSize}) as unnumbered
      ), numbered as (
        update events set position = waiting.position from waiting where events.id = waiting.id
        returning events.id, events.position, events.type, events.account
      ), queued as (
        insert into webhook_deliveries (endpoint_id, event_id, position, account, state, queued_at, next_attempt_at)
        select endpoint.id, numbered.id, numbered.position, numbered.account,
          case when endpoint.disabled_at is null then 'pending' else 'missed' end, ${now}, ${now}
        from numbered join webhook_endpoints as endpoint on (
          endpoint.types = '[]' or endpoint.types @> to_jsonb(numbered.type)
          or endpoint.types @> to_jsonb(split_part(numbered.type, '.', 1) || '.*')
        ) and (endpoint.accounts = '[]' or endpoint.accounts @> to_jsonb(numbered.account))
      ), counted as (
        select count(*)::int4 as count from numbered
      )
      update event_positions set last = last + counted.count from counted returning counted.count
    `.execute(transaction)
    return rows[0]?.count ?? 0
  })
