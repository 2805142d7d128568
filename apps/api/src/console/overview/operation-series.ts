import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** Minutes that the charts show. */
export const shownMinutes = 60

export interface MinuteOfOperations {
  /** Unix seconds of its beginning. */
  readonly minute: number
  readonly included: number
  readonly reverted: number
  readonly dropped: number
  /** wei, paid by whoever paid for the operations. */
  readonly gas: bigint
}

/** The results of operations by minute, from a time on. The index of events by time covers it. */
export async function readMinutes(
  database: Kysely<Database>,
  since: Date,
): Promise<readonly MinuteOfOperations[]> {
  const rows = await database
    .selectFrom('events')
    .select([
      sql<number>`extract(epoch from date_trunc('minute', created_at))::int8`.as('minute'),
      sql<number>`(count(*) filter (where type = 'operation.included'))::int4`.as('included'),
      sql<number>`(count(*) filter (where type = 'operation.reverted'))::int4`.as('reverted'),
      sql<number>`(count(*) filter (where type = 'operation.dropped'))::int4`.as('dropped'),
      sql<string>`coalesce(sum((data ->> 'gasCost')::numeric), 0)::text`.as('gas'),
    ])
    .where('created_at', '>=', since)
    .where('type', 'in', ['operation.included', 'operation.reverted', 'operation.dropped'])
    .groupBy('minute')
    .orderBy('minute')
    .execute()
  return rows.map(({ gas, minute, ...row }) => ({ ...row, minute: Number(minute), gas: BigInt(gas) }))
}

/** Inclusions whose times are read: enough for the tail, and few enough for every refresh. */
const sampled = 500

export interface InclusionTime {
  /** Unix seconds. */
  readonly at: number
  readonly seconds: number
}

/** Seconds from the signature to the block's arrival here, of the last inclusions, oldest first. */
export async function readInclusionTimes(
  database: Kysely<Database>,
  since: Date,
): Promise<readonly InclusionTime[]> {
  const rows = await database
    .selectFrom((eb) =>
      eb
        .selectFrom('events')
        .select(sql<string>`data ->> 'userOpHash'`.as('hash'))
        .where('created_at', '>=', since)
        .where('type', 'in', ['operation.included', 'operation.reverted'])
        .orderBy('created_at', 'desc')
        .limit(sampled)
        .as('latest'),
    )
    .innerJoin('operations', 'operations.user_op_hash', 'latest.hash')
    .select(['included_at', 'signed_at'])
    .where('included_at', 'is not', null)
    .where('signed_at', 'is not', null)
    .orderBy('included_at')
    .execute()
  return rows.flatMap(({ included_at, signed_at }) =>
    included_at && signed_at
      ? [
          {
            at: Math.floor(included_at.getTime() / 1000),
            seconds: Math.max(0, (included_at.getTime() - signed_at.getTime()) / 1000),
          },
        ]
      : [],
  )
}

/** The value below which this part of the values lies; undefined without values. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}
