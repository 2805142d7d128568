import { type Kysely, sql } from 'kysely'

/** The purges find what is old without reading what is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index relayer_transactions_with_raw on relayer_transactions (created_at) where raw <> ''`.execute(
    db,
  )
  await sql`create index sponsorship_days_by_day on sponsorship_days (day) where day <> 'total'`.execute(db)
}
