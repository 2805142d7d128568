import { type Alarm, type Database, readAlarms } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import type { GaugeReading, Metrics } from './metrics.ts'

interface Dependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
}

/** Milliseconds for which an emptied allowance stays an alarm. */
const day = 24 * 60 * 60_000

type Row = Awaited<ReturnType<typeof readAlarms>>[number]

/** What each kind of alarm is shown as. */
const gauges: Readonly<
  Record<
    Alarm['kind'],
    {
      readonly name: string
      readonly help: string
      readonly labels: readonly string[]
      toReading(row: Row): GaugeReading
    }
  >
> = {
  governance: {
    name: 'governance_changes',
    help: 'Changes of SmartBalance or its AttestorSet that move power or money: those that are proposed, and those of the last day',
    labels: ['network', 'event'],
    toReading: ({ network, event, count }) => ({ labels: { network, event }, value: count }),
  },
  'unexplained-gas': {
    name: 'unexplained_gas_wei',
    help: 'Gas that SmartBalance paid within the last day for operations that this service did not sign',
    labels: ['network'],
    toReading: ({ network, wei }) => ({ labels: { network }, value: Number(wei) }),
  },
  recovery: {
    name: 'unannounced_recoveries',
    help: "Recoveries of this service's accounts that guardians started without it and that are not over",
    labels: ['network'],
    toReading: ({ network, count }) => ({ labels: { network }, value: count }),
  },
  'owner-split': {
    name: 'owner_splits',
    help: 'Accounts to which a network applied another owner change than other networks, until a later change holds on both',
    labels: ['network'],
    toReading: ({ network, count }) => ({ labels: { network }, value: count }),
  },
}

/** What an operator must know now, read from the database, so that every process shows it, whichever has seen it. */
export function addAlarmGauges(metrics: Pick<Metrics, 'addGauge'>, { database, now }: Dependencies): void {
  for (const [kind, { name, help, labels, toReading }] of Object.entries(gauges)) {
    metrics.addGauge({
      ...{ name, help, labels, ofDatabase: true },
      async read() {
        const rows = await readAlarms(database, now())
        return rows.filter((row) => row.kind === kind).map(toReading)
      },
    })
  }
  metrics.addGauge({
    name: 'emptied_session_keys',
    help: 'Session keys of which an operation took a whole allowance within the last day',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('session_warnings')
        .where('type', '=', 'session.emptied')
        .where('warned_at', '>', new Date(now().getTime() - day))
        .select(['network', sql<number>`count(*)::int4`.as('count')])
        .groupBy('network')
        .execute()
      return rows.map(({ network, count }) => ({ labels: { network }, value: count }))
    },
  })
  metrics.addGauge({
    name: 'break_glass_sign_ins',
    help: 'Sign-ins to the console with a break-glass passkey within the last day',
    labels: [],
    ofDatabase: true,
    async read() {
      const { count } = await database
        .selectFrom('operator_sessions as session')
        .innerJoin('operators', 'operators.id', 'session.operator_id')
        .where('operators.break_glass', '=', true)
        .where('session.created_at', '>', new Date(now().getTime() - day))
        .select(sql<number>`count(*)::int4`.as('count'))
        .executeTakeFirstOrThrow()
      return [{ labels: {}, value: count }]
    },
  })
}
