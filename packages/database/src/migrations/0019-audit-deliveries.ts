import { type Kysely, sql } from 'kysely'

/** How far the audit log has left the house, by destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_deliveries (
      destination text collate "C" primary key,
      position int8 not null,
      delivered_at timestamptz not null
    )`.execute(db)
}
