import { type Kysely, sql } from 'kysely'

/** Gas of a sponsored operation that the relayer pays, which the budgets of its policy count. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sponsorships add column relayer_gas int4 not null default 0`.execute(db)
}
