import { type Kysely, sql } from 'kysely'

/** How long the embedded bundler leaves an account alone whose operations fail, and what relayers lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_backoffs (
      network int8 not null,
      account text collate "C" not null,
      failures int4 not null,
      next_at timestamptz not null,
      primary key (network, account)
    )`.execute(db)
  // wei that the operations of a replacement do not pay, at most
  await sql`alter table relayer_transactions add column loss numeric(78, 0) not null default 0`.execute(db)
  await sql`
    create index relayer_transactions_losses on relayer_transactions (network, relayer, created_at)
    where loss > 0`.execute(db)
}
