import { deliverWebhooks, hasWebhookWork } from '../../domain/events/webhooks/deliver-webhooks.ts'
import { postWebhook } from '../../domain/events/webhooks/post-webhook.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'

/**
 * Delivers events to webhooks until the service closes.
 */
export async function startWebhookWorker(
  passes: Passes,
  { database, now, log, project }: Pick<Services, 'database' | 'now' | 'log' | 'project'>,
): Promise<void> {
  const dependencies = {
    ...{ database, now, log, ...project.webhooks },
    post: (request: Parameters<typeof postWebhook>[0]) => postWebhook(request, project.webhooks),
  }
  await passes.repeat({
    name: 'webhooks',
    hasWork: () => hasWebhookWork(dependencies),
    run: () => deliverWebhooks(dependencies),
  })
}
