import { LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import { disableWebhook, enableWebhook, redeliverWebhook, removeWebhook } from '../../acts/webhooks.ts'
import { listDeliveries } from '../../domain/events/webhooks/webhook-deliveries.ts'
import { listWebhookEndpoints } from '../../domain/events/webhooks/webhook-endpoints.ts'
import { requestWebhookTest } from '../../domain/events/webhooks/webhook-tests.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { runAct } from '../run-act.ts'

const endpointId = z.string().regex(/^whe_[\w-]{12}$/, 'Expected the id of an endpoint: whe_…')

const unknown = (id: string) =>
  new LanyardError('INVALID_INPUT', {
    message: `There is no such endpoint, or it is in that state already: ${id}.`,
  })

/** A URL may hold a token of the receiver in its path or query. */
const hostOf = (url: string) => new URL(url).origin

export const webhooks = router({
  list: operatorProcedure.query(async ({ ctx: { database } }) => ({
    endpoints: (await listWebhookEndpoints(database)).map((endpoint) => ({
      ...{ id: endpoint.id, keyName: endpoint.key_name, host: hostOf(endpoint.url) },
      types: endpoint.types as string[], // written by createWebhookEndpoint
      accounts: (endpoint.accounts as string[]).length,
      createdAt: endpoint.created_at.toISOString(),
      failingSince: endpoint.failing_since?.toISOString() ?? null,
      failures: endpoint.failures,
      disabledAt: endpoint.disabled_at?.toISOString() ?? null,
      disabledReason: endpoint.disabled_reason,
      ...{ pending: endpoint.pending, missed: endpoint.missed },
    })),
  })),
  /** The last deliveries of an endpoint, with what it answered. */
  deliveries: operatorProcedure
    .input(z.object({ id: endpointId, state: z.enum(['pending', 'delivered', 'missed']).optional() }))
    .query(async ({ ctx: { database }, input: { id, state } }) => ({
      deliveries: (await listDeliveries(database, id, { state, limit: 50 })).map((delivery) => ({
        ...{ position: delivery.position, account: delivery.account, type: delivery.type },
        ...{ state: delivery.state, attempts: delivery.attempts },
        ...{ status: delivery.status, answer: delivery.answer },
        queuedAt: delivery.queued_at.toISOString(),
        answeredAt: delivery.answered_at?.toISOString() ?? null,
      })),
    })),
  /** Queues one event again, or all missed ones, as `lanyard webhooks redeliver` does. */
  redeliver: operatorProcedure
    .input(z.object({ id: endpointId, position: z.int().nonnegative().optional() }))
    .mutation(({ ctx, input: { id, position } }) =>
      runAct(ctx, async (act) => {
        const deliveries = await redeliverWebhook(act, id, position)
        if (deliveries === 0) {
          throw new LanyardError('INVALID_INPUT', { message: 'There is nothing to deliver again.' })
        }
        return { deliveries }
      }),
    ),
  /** The last test of an endpoint; null if nobody tested it. */
  lastTest: operatorProcedure
    .input(z.object({ id: endpointId }))
    .query(async ({ ctx: { database }, input: { id } }) => {
      const row = await database
        .selectFrom('webhook_tests')
        .selectAll()
        .where('endpoint_id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      const { requested_at, answered_at, status, answer } = row
      return {
        ...{ requestedAt: requested_at.toISOString(), status, answer },
        answeredAt: answered_at?.toISOString() ?? null,
      }
    }),
  /** Asks a worker for what `lanyard webhooks test` does: the console has no key of the endpoints' secrets. */
  test: operatorProcedure.input(z.object({ id: endpointId })).mutation(({ ctx, input: { id } }) =>
    runAct(ctx, async ({ transaction, now, record }) => {
      if (!(await requestWebhookTest(transaction, id, now))) {
        throw new LanyardError('INVALID_INPUT', {
          message: `There is no such endpoint, or a test of it still runs: ${id}.`,
        })
      }
      await record({ act: 'webhook.test', subject: id })
      return { requested: true }
    }),
  ),
  disable: operatorProcedure.input(z.object({ id: endpointId })).mutation(({ ctx, input: { id } }) =>
    runAct(ctx, async (act) => {
      if (!(await disableWebhook(act, id))) throw unknown(id)
      return { enabled: false }
    }),
  ),
  enable: operatorProcedure.input(z.object({ id: endpointId })).mutation(({ ctx, input: { id } }) =>
    runAct(ctx, async (act) => {
      if (!(await enableWebhook(act, id))) throw unknown(id)
      return { enabled: true }
    }),
  ),
  /** Forgets the endpoint, its secrets and its deliveries, as `lanyard webhooks remove` does. */
  remove: operatorProcedure.input(z.object({ id: endpointId })).mutation(({ ctx, input: { id } }) =>
    runAct(ctx, async (act) => {
      if (!(await removeWebhook(act, id))) throw unknown(id)
      return { removed: true }
    }),
  ),
})
