import { toEventId } from '../domain/events/webhooks/event-id.ts'
import { redeliver } from '../domain/events/webhooks/webhook-deliveries.ts'
import {
  disabledReason,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  removeWebhookEndpoint,
} from '../domain/events/webhooks/webhook-endpoints.ts'
import type { ActContext } from './act.ts'

/**
 * Queues one event again, or all missed ones.
 *
 * @param position - of the event; undefined: all that were missed
 * @returns how many are queued
 */
export async function redeliverWebhook(
  { transaction, now, record }: ActContext,
  id: string,
  position: number | undefined,
): Promise<number> {
  const deliveries = await redeliver(transaction, id, { position, now })
  if (deliveries > 0) {
    await record({
      ...{ act: 'webhook.redeliver', subject: id },
      after: { event: position === undefined ? 'missed' : toEventId(position), deliveries },
    })
  }
  return deliveries
}

/** @returns false for an endpoint that does not exist or is enabled already */
export async function enableWebhook({ transaction, record }: ActContext, id: string): Promise<boolean> {
  const reason = await disabledReason(transaction, id)
  const changed = await enableWebhookEndpoint(transaction, id)
  if (changed) {
    await record({
      ...{ act: 'webhook.enable', subject: id },
      ...{ before: { enabled: false, reason }, after: { enabled: true } },
    })
  }
  return changed
}

/** @returns false for an endpoint that does not exist or is disabled already */
export async function disableWebhook({ transaction, now, record }: ActContext, id: string): Promise<boolean> {
  const changed = await disableWebhookEndpoint(transaction, id, { now, reason: 'OPERATOR' })
  if (changed) {
    await record({
      ...{ act: 'webhook.disable', subject: id },
      ...{ before: { enabled: true }, after: { enabled: false, reason: 'OPERATOR' } },
    })
  }
  return changed
}

/** Forgets an endpoint and its deliveries. @returns false for an endpoint that does not exist */
export async function removeWebhook({ transaction, record }: ActContext, id: string): Promise<boolean> {
  const endpoint = await transaction
    .selectFrom('webhook_endpoints')
    .select(['key_name', 'url', 'types', 'accounts'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!endpoint || !(await removeWebhookEndpoint(transaction, id))) return false
  const { key_name: key, url, types, accounts } = endpoint
  await record({
    ...{ act: 'webhook.remove', subject: id },
    before: { key, host: new URL(url).host, types, accounts },
  })
  return true
}
