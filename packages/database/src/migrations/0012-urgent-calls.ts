import { type Kysely, sql } from 'kysely'

/** Whether a call of the relayers' own stops a theft, so that its replacements are paid as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table relayer_transactions add column urgent boolean not null default false`.execute(db)
}
