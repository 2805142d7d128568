import { type Kysely, sql } from 'kysely'

/** What calls of the relayers' own achieve, so that none is sent a second time with other bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table relayer_transactions add column intent text collate "C"`.execute(db)
  await sql`
    create index relayer_transactions_by_intent on relayer_transactions (network, intent)
    where intent is not null`.execute(db)
}
