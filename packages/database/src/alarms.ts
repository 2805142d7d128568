import { type Insertable, type Kysely, sql } from 'kysely'
import type { AlarmsTable, Database } from './schema.ts'

export type Alarm = Insertable<AlarmsTable>

/** Raises alarms. One that was raised before stays as it is, and becomes final with its block. */
export async function raiseAlarms(database: Kysely<Database>, alarms: readonly Alarm[]): Promise<void> {
  if (alarms.length === 0) return
  await database
    .insertInto('alarms')
    .values(alarms)
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'kind', 'log'])
        .doUpdateSet({ final: true })
        .where('alarms.final', '=', false)
        .whereRef('excluded.final', '<>', 'alarms.final'),
    )
    .execute()
}

interface AlarmEnd extends Pick<Alarm, 'network' | 'kind' | 'topic'> {
  /** The block that ends those of earlier ones, and of itself. */
  readonly block: number
  readonly now: Date
}

/** Ends the alarms of a topic that a block has settled. */
export async function endAlarms(
  database: Kysely<Database>,
  { network, kind, topic, block, now }: AlarmEnd,
): Promise<void> {
  await database
    .updateTable('alarms')
    .set({ ends_at: now })
    .where('network', '=', network)
    .where('kind', '=', kind)
    .where('topic', '=', topic)
    .where('block_number', '<=', block)
    .where('ends_at', '>', now)
    .execute()
}

/**
 * Deletes the alarms of blocks that a reorg has removed: those up to a final block that were not seen again in one. And those
 * that ended before a time.
 */
export async function deleteAlarms(
  database: Kysely<Database>,
  { network, kinds, final, endedBefore }: DeletedAlarms,
): Promise<void> {
  if (kinds.length === 0) return
  await database
    .deleteFrom('alarms')
    .where('network', '=', network)
    .where('kind', 'in', kinds)
    .where((where) =>
      where.or([
        where.and([where('final', '=', false), where('block_number', '<=', final)]),
        where('ends_at', '<', endedBefore),
      ]),
    )
    .execute()
}

interface DeletedAlarms {
  readonly network: number
  readonly kinds: readonly Alarm['kind'][]
  /** Every log up to this block was read. */
  readonly final: number
  readonly endedBefore: Date
}

/** The alarms that are true now, counted. */
export const readAlarms = (database: Kysely<Database>, now: Date) =>
  database
    .selectFrom('alarms')
    .where('ends_at', '>', now)
    .select(['network', 'kind', 'event', sql<number>`count(*)::int4`.as('count')])
    .select((eb) => eb.fn.sum<bigint>('wei').as('wei'))
    .groupBy(['network', 'kind', 'event'])
    .execute()
