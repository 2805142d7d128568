import { deliverWebhooks, hasWebhookWork } from '../../domain/events/webhooks/deliver-webhooks.ts'
import { postWebhook } from '../../domain/events/webhooks/post-webhook.ts'
import { addWebhookGauges } from '../../domain/events/webhooks/webhook-gauges.ts'
import { deriveEncryptionKeys } from '../../domain/events/webhooks/webhook-secrets.ts'
import type { Services } from '../../pipeline/services.ts'
import { toBlockList } from '../../platform/environment/private-range.ts'
import type { Passes } from './passes.ts'

/**
 * Delivers events to webhooks until the service closes. Private addresses are allowed for local networks
 * only.
 */
export async function startWebhookWorker(
  passes: Passes,
  { database, networks, now, log, metrics, env }: Services,
): Promise<void> {
  addWebhookGauges(metrics, database)
  const policy = {
    isLocal: networks.list().every(({ config }) => config.local),
    privateRanges: toBlockList(env.WEBHOOK_PRIVATE_RANGES),
  }
  const dependencies = {
    ...{ database, now, log, ...deriveEncryptionKeys(env.TOKEN_KEY) },
    post: (request: Parameters<typeof postWebhook>[0]) => postWebhook(request, policy),
  }
  await passes.repeat({
    name: 'webhooks',
    hasWork: () => hasWebhookWork(dependencies),
    run: () => deliverWebhooks(dependencies),
  })
}
