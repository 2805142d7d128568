import { type Kysely, sql } from 'kysely'

/** Losses of operations that were included and paid too little. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table relayer_losses drop constraint relayer_losses_reason_check`.execute(db)
  await sql`
    alter table relayer_losses add constraint relayer_losses_reason_check
    check (reason in ('reverted', 'raced', 'underpaid'))`.execute(db)
  await sql`create index relayer_losses_by_time on relayer_losses (network, lost_at)`.execute(db)
  // Those of before count as compared.
  await sql`alter table relayer_transactions add column audited boolean not null default true`.execute(db)
  await sql`alter table relayer_transactions alter column audited set default false`.execute(db)
  await sql`
    create index relayer_transactions_unaudited on relayer_transactions (network)
    where state = 'mined' and not audited`.execute(db)
}
