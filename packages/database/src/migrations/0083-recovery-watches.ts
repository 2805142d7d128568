import { type Kysely, sql } from 'kysely'

/** How far recoveries that guardians started were read on each network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recovery_watches (
      network int8 primary key,
      block_number int8 not null
    )`.execute(db)
}
