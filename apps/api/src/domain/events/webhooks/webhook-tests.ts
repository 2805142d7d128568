import type { Database } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { WebhookDependencies } from './webhook-dependencies.ts'
import { signWebhook, unreadable } from './webhook-secrets.ts'

/** Milliseconds after which another process sends a test that one has begun. */
const claimTime = 30_000

/** The event that tests an endpoint, for the command and the console. It is no event of an account: nothing else carries it. */
export const testEvent = (endpoint: string, now: Date) => ({
  id: `evt_test_${now.getTime()}`,
  body: JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: { endpoint } }),
})

/**
 * Asks a worker to send a test to an endpoint, also to a disabled one. Its row is replaced by the next test.
 *
 * @returns false if there is no such endpoint, or a test of it still runs
 */
export async function requestWebhookTest(
  transaction: Transaction<Database>,
  id: string,
  now: Date,
): Promise<boolean> {
  const endpoint = await transaction
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (!endpoint) return false
  const written = await transaction
    .insertInto('webhook_tests')
    .values({ endpoint_id: id, requested_at: now, next_attempt_at: now })
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet({
          ...{ requested_at: now, next_attempt_at: now },
          ...{ answered_at: null, status: null, answer: null },
        })
        .where('webhook_tests.answered_at', 'is not', null),
    )
    .returning('endpoint_id')
    .executeTakeFirst()
  return written !== undefined
}

/** Sends the tests that somebody asked for. They change nothing about their endpoints. */
export async function sendWebhookTests({
  database,
  now,
  post,
  encryptionKey,
  olderKeys = [],
}: WebhookDependencies): Promise<void> {
  const claimed = await claim(database, now())
  await Promise.all(
    claimed.map(async ({ id, url, secrets }) => {
      const { id: eventId, body } = testEvent(id, now())
      const headers = signWebhook(secrets, {
        ...{ id: eventId, body, now: now(), owner: { id, encryptionKey, olderKeys } },
      })
      const answer = headers ? await post({ url, headers, body }) : { status: null, text: unreadable }
      await database
        .updateTable('webhook_tests')
        .set({ answered_at: now(), status: answer.status, answer: answer.text })
        .where('endpoint_id', '=', id)
        .where('answered_at', 'is', null)
        .execute()
    }),
  )
}

async function claim(database: Kysely<Database>, now: Date) {
  const { rows } = await sql<{ id: string; url: string; secrets: unknown }>`
    update webhook_tests as test set next_attempt_at = ${new Date(now.getTime() + claimTime)}
    from webhook_endpoints as endpoint
    where endpoint.id = test.endpoint_id and test.endpoint_id in (
      select endpoint_id from webhook_tests where answered_at is null and next_attempt_at <= ${now}
      order by next_attempt_at limit 10 for update skip locked
    )
    returning endpoint.id, endpoint.url, endpoint.secrets`.execute(database)
  return rows
}
