import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { postWebhook, WebhookAnswer } from './post-webhook.ts'
import type { SecretsOwner } from './webhook-secrets.ts'

/** What a process needs to deliver webhooks. */
export interface WebhookDependencies extends Pick<SecretsOwner, 'encryptionKey' | 'olderKeys'> {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  readonly post: (request: Parameters<typeof postWebhook>[0]) => Promise<WebhookAnswer>
}
