import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { Metrics } from './metrics.ts'

interface Dependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
}

/** Signed operations that are not final. An index covers them, so final operations are not read again. */
const open = (database: Kysely<Database>) =>
  database.selectFrom('operations').where('final', '=', false).where('state', '<>', 'built')

const secondsUntil = (now: Date, earlier: Date | null) =>
  earlier === null ? 0 : Math.max(0, (now.getTime() - earlier.getTime()) / 1000)

/** The states of operations and their orders, read from the database, so that every replica shows the same. */
export function addOperationGauges(metrics: Metrics, { database, now }: Dependencies): void {
  metrics.addGauge({
    name: 'open_operations',
    help: 'Signed operations that are not final, by network and state',
    labels: ['network', 'state'],
    ofDatabase: true,
    async read() {
      const rows = await open(database)
        .select(['network', 'state', sql<number>`count(*)::int4`.as('count')])
        .groupBy(['network', 'state'])
        .execute()
      return rows.map(({ network, state, count }) => ({ labels: { network, state }, value: count }))
    },
  })
  metrics.addGauge({
    name: 'oldest_waiting_operation_seconds',
    help: 'Time since the signature of the oldest operation that is in no block',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const rows = await open(database)
        .where('state', 'in', ['submitting', 'submitted'])
        .select(['network', sql<Date | null>`min(signed_at)`.as('oldest')])
        .groupBy('network')
        .execute()
      return rows.map(({ network, oldest }) => ({ labels: { network }, value: secondsUntil(now(), oldest) }))
    },
  })
  metrics.addGauge({
    name: 'reconcile_lag_seconds',
    help: 'How long the oldest repeated delivery of an operation has been due',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const rows = await open(database)
        .where('state', 'in', ['submitting', 'submitted'])
        .select(['network', sql<Date | null>`min(next_attempt_at)`.as('due')])
        .groupBy('network')
        .execute()
      return rows.map(({ network, due }) => ({ labels: { network }, value: secondsUntil(now(), due) }))
    },
  })
  metrics.addGauge({
    name: 'oldest_unproven_order_seconds',
    help: 'Age of the oldest order that is CLAIMED or FAILED and not ATTESTED, by output network',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('orders')
        .where('closed_at', 'is', null)
        .where('state', 'in', ['CLAIMED', 'FAILED'])
        .select(['output_network as network', sql<Date | null>`min(reserved_at)`.as('oldest')])
        .groupBy('output_network')
        .execute()
      return rows.map(({ network, oldest }) => ({ labels: { network }, value: secondsUntil(now(), oldest) }))
    },
  })
  metrics.addGauge({
    name: 'failing_session_keys',
    help: 'Session keys of which at least five operations failed within the last hour',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const keys = database
        .selectFrom('operations')
        .where('session_key', 'is not', null)
        .where('signed_at', '>', new Date(now().getTime() - 3_600_000))
        .where((where) =>
          where.or([where('success', '=', false), where('state', 'in', ['dropped', 'expired'])]),
        )
        .select('network')
        .groupBy(['network', 'account', sql`session_key->>'key'`])
        .having(sql<number>`count(*)`, '>=', 5)
      const rows = await database
        .selectFrom(keys.as('keys'))
        .select(['network', sql<number>`count(*)::int4`.as('count')])
        .groupBy('network')
        .execute()
      return rows.map(({ network, count }) => ({ labels: { network }, value: count }))
    },
  })
}
