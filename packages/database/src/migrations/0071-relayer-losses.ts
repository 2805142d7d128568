import { type Kysely, sql } from 'kysely'

/** Gas that relayers of the embedded bundler paid and nobody repaid, and who caused it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column sent_by text collate "C"`.execute(db)
  await sql`
    create table relayer_losses (
      txn_hash text collate "C" not null,
      user_op_hash text collate "C" not null,
      network int8 not null,
      account text collate "C" not null,
      sent_by text collate "C",
      reason text not null check (reason in ('reverted', 'raced')),
      wei numeric(78, 0) not null,
      owed numeric(78, 0) not null,
      lost_at timestamptz not null,
      repaid_by text collate "C",
      primary key (txn_hash, user_op_hash)
    )`.execute(db)
  await sql`
    create index relayer_losses_accounts on relayer_losses (network, account)
    where owed > 0 and repaid_by is null`.execute(db)
  await sql`
    create index relayer_losses_callers on relayer_losses (network, sent_by, lost_at)
    where owed > 0 and repaid_by is null`.execute(db)
}
