import type { Database, WebhookDeliveryRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

export type ListedDelivery = Pick<
  WebhookDeliveryRow,
  'position' | 'account' | 'state' | 'attempts' | 'queued_at' | 'answered_at' | 'status' | 'answer'
> & { readonly type: string }

interface DeliveryQuery {
  readonly state?: WebhookDeliveryRow['state'] | undefined
  readonly limit: number
}

/** An endpoint's deliveries with the last answers, newest first. */
export const listDeliveries = (
  database: Kysely<Database>,
  endpointId: string,
  { state, limit }: DeliveryQuery,
): Promise<ListedDelivery[]> =>
  database
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('events', 'events.id', 'delivery.event_id')
    .select(['delivery.position', 'delivery.account', 'delivery.state', 'attempts', 'queued_at'])
    .select(['answered_at', 'status', 'answer', 'type'])
    .where('endpoint_id', '=', endpointId)
    .$if(state !== undefined, (query) => query.where('delivery.state', '=', state ?? 'pending'))
    .orderBy('delivery.position', 'desc')
    .limit(limit)
    .execute()

/**
 * Queues deliveries again: one event in any state, or all missed events.
 *
 * @param position - undefined: all missed events
 * @returns the number of deliveries
 */
export async function redeliver(
  database: Kysely<Database>,
  endpointId: string,
  { position, now }: { readonly position: number | undefined; readonly now: Date },
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', attempts: 0, queued_at: now, next_attempt_at: now })
    .where('endpoint_id', '=', endpointId)
    .$if(position === undefined, (query) => query.where('state', '=', 'missed'))
    .$if(position !== undefined, (query) => query.where('position', '=', position ?? 0))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
