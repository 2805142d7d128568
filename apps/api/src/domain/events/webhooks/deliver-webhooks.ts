import {
  type Database,
  type EventRow,
  nextAttempt,
  publishEvents,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
} from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { toMessage } from '../message.ts'
import { toEventId } from './event-id.ts'
import type { WebhookAnswer } from './post-webhook.ts'
import type { WebhookDependencies } from './webhook-dependencies.ts'
import { disableWebhookEndpoint } from './webhook-endpoints.ts'
import { signWebhook, unreadable } from './webhook-secrets.ts'
import { sendWebhookTests } from './webhook-tests.ts'

const minute = 60_000
const hour = 60 * minute

/** Milliseconds for which delivery of an event is attempted. */
const deliveryWindow = 24 * hour

/** Milliseconds without a successful delivery after which an endpoint is disabled. */
const maxFailing = 72 * hour

/**
 * Milliseconds after which another process takes over a started delivery: longer than the time-out for the
 * receiver's answer.
 */
const claimTime = 30_000

/** Number of accounts whose events one endpoint receives concurrently. */
const concurrency = 16

/** Consecutive failures after which an endpoint gets one event at a time, with pauses. */
const manyFailures = 5

/** Milliseconds that one pass runs: its job times out a little later. */
const passTime = 20_000

/** Between the attempts to deliver an event, and between those at a failing endpoint. */
const eventBackoff = { initial: 5_000, max: hour } as const
const endpointBackoff = { initial: 5_000, max: 5 * minute } as const

/** Whether there are events to publish, which needs no endpoint, or to deliver. */
export async function hasWebhookWork({
  database,
  now,
}: Pick<WebhookDependencies, 'database' | 'now'>): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from events where position is null)
      or exists (
        select from webhook_endpoints as endpoint join webhook_deliveries as delivery on delivery.endpoint_id = endpoint.id
        where endpoint.disabled_at is null and delivery.state = 'pending' and delivery.next_attempt_at <= ${now()}
          and (endpoint.next_attempt_at is null or endpoint.next_attempt_at <= ${now()})
      )
      or exists (select from webhook_tests where answered_at is null and next_attempt_at <= ${now()}) as busy`.execute(
    database,
  )
  return rows[0]?.busy ?? false
}

/**
 * Publishes new events and delivers those that are due. For each account, an endpoint gets one event at a
 * time, in order: the next one follows when the previous one is delivered or given up. Any number of
 * processes may run this; if one dies, the others take over its deliveries.
 */
export async function deliverWebhooks(dependencies: WebhookDependencies): Promise<void> {
  const { database, now } = dependencies
  const until = now().getTime() + passTime
  await Promise.all([sendWebhookTests(dependencies), publishEvents(database, now())])
  const endpoints = await database
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('disabled_at', 'is', null)
    .where((eb) => eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now())]))
    .execute()
  await Promise.all(endpoints.map((endpoint) => deliverTo(dependencies, endpoint, until)))
}

async function deliverTo(
  dependencies: WebhookDependencies,
  endpoint: WebhookEndpointRow,
  until: number,
): Promise<void> {
  const { database, now } = dependencies
  let { failures } = endpoint
  while (now().getTime() < until) {
    const claimed = await claimDue(database, endpoint.id, {
      now: now(),
      limit: failures < manyFailures ? concurrency : 1,
    })
    if (claimed.length === 0) return
    const answers = await Promise.all(claimed.map((delivery) => deliver(dependencies, endpoint, delivery)))
    const isGone = answers.some(({ status }) => status === 410)
    if (!isGone && answers.some(isSuccess)) {
      failures = 0
      await recordSuccess(database, endpoint.id)
    } else {
      failures += answers.length
      await recordFailure(dependencies, endpoint, { failures, isGone })
      if (isGone || failures >= manyFailures) return
    }
  }
}

type Claimed = WebhookDeliveryRow &
  Pick<EventRow, 'type' | 'network' | 'data' | 'created_at'> & { missed: number }

/**
 * Claims the first pending delivery of each account, if it is due. Incrementing its attempts keeps other
 * processes from claiming it. While it is pending, no later delivery of the account is the first.
 */
async function claimDue(
  database: Kysely<Database>,
  endpointId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly Claimed[]> {
  const { rows } = await sql<Claimed>`
    with firsts as (
      select distinct on (account) id, next_attempt_at, position from webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'pending'
      order by account, position
    ), due as (
      select id from firsts where next_attempt_at <= ${now} order by position limit ${limit}
    ), claimed as (
      update webhook_deliveries set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + claimTime)}
      where id in (select id from due) and state = 'pending' and next_attempt_at <= ${now}
      returning *
    )
    select claimed.*, events.type, events.network, events.data, events.created_at, (
      select count(*)::int4 from webhook_deliveries as gap
      where gap.endpoint_id = claimed.endpoint_id and gap.account = claimed.account and gap.state = 'missed'
        and gap.position < claimed.position and gap.position > coalesce((
          select max(earlier.position) from webhook_deliveries as earlier
          where earlier.endpoint_id = claimed.endpoint_id and earlier.account = claimed.account
            and earlier.state = 'delivered' and earlier.position < claimed.position
        ), 0)
    ) as missed
    from claimed join events on events.id = claimed.event_id
  `.execute(database)
  return rows
}

const isSuccess = ({ status }: WebhookAnswer) => status !== null && status >= 200 && status < 300

async function deliver(
  { database, now, post, log, encryptionKey, olderKeys = [] }: WebhookDependencies,
  endpoint: WebhookEndpointRow,
  delivery: Claimed,
): Promise<WebhookAnswer> {
  const id = toEventId(delivery.position)
  const message = toMessage({ ...delivery, id: delivery.event_id })
  const body = JSON.stringify({
    ...message,
    ...(delivery.missed > 0 && { gap: { missed: delivery.missed } }),
  })
  const owner = { id: endpoint.id, encryptionKey, olderKeys }
  const headers = signWebhook(endpoint.secrets, { id, body, now: now(), owner })
  const answer = headers
    ? await post({ url: endpoint.url, headers, body })
    : { status: null, text: unreadable }
  const isOver = now().getTime() - delivery.queued_at.getTime() >= deliveryWindow
  const state = isSuccess(answer) ? 'delivered' : isOver ? 'missed' : 'pending'
  await database
    .updateTable('webhook_deliveries')
    .set({
      ...{ state, status: answer.status, answer: answer.text, answered_at: now() },
      next_attempt_at: nextAttempt(delivery.attempts - 1, now(), eventBackoff),
    })
    .where('id', '=', delivery.id)
    .where('state', '=', 'pending')
    .execute()
  if (state === 'missed') {
    log.error({ endpoint: endpoint.id, event: id }, 'gave up on a webhook after a day; later ones continue')
  }
  return answer
}

async function recordSuccess(database: Kysely<Database>, id: string): Promise<void> {
  await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: null, failures: 0, next_attempt_at: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

async function recordFailure(
  { database, now, log }: WebhookDependencies,
  { id, url }: WebhookEndpointRow,
  { failures, isGone }: { readonly failures: number; readonly isGone: boolean },
): Promise<void> {
  const failing = await database
    .updateTable('webhook_endpoints')
    .set({
      failing_since: sql<Date>`coalesce(failing_since, ${now()})`,
      failures,
      next_attempt_at:
        failures < manyFailures ? null : nextAttempt(failures - manyFailures, now(), endpointBackoff),
    })
    .where('id', '=', id)
    .returning('failing_since')
    .executeTakeFirst()
  const since = failing?.failing_since ?? now()
  const isHopeless = now().getTime() - since.getTime() >= maxFailing
  if (!isGone && !isHopeless) return
  const reason = isGone ? 'GONE' : 'FAILING'
  if (await disableWebhookEndpoint(database, id, { now: now(), reason })) {
    log.error({ endpoint: id, host: new URL(url).host, reason }, 'a webhook endpoint was disabled')
  }
}
