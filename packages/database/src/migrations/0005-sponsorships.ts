import { type Kysely, sql } from 'kysely'

/**
 * Operations whose gas the service pays or may have to pay, and the used part of daily budgets. Amounts in
 * wei.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sponsorships (
      user_op_hash text primary key references operations (user_op_hash),
      network int8 not null,
      account text collate "C" not null references accounts (address),
      kind text not null check (kind in ('sponsored', 'order')),
      caller text collate "C" not null,
      day text collate "C" not null,
      reserved numeric(78, 0) not null check (reserved >= 0),
      charged numeric(78, 0) check (charged >= 0),
      valid_until int8 not null,
      built_at_block int8 not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index sponsorships_open on sponsorships (network, created_at) where charged is null`.execute(
    db,
  )
  await sql`create index sponsorships_of_account on sponsorships (account, network, day)`.execute(db)

  // Taking from a daily budget locks its row, so concurrent requests never exceed it.
  await sql`
    create table sponsorship_days (
      network int8 not null,
      budget text collate "C" not null,
      day text collate "C" not null,
      taken numeric(78, 0) not null check (taken >= 0),
      primary key (network, budget, day)
    )`.execute(db)
}
