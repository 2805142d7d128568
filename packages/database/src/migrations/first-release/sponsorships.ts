import { type Kysely, sql } from 'kysely'

/** Operations whose gas the service pays or may have to pay, and the used part of budgets. Amounts in wei. */
export async function createSponsorships(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sponsorships (
      -- A signature of the paymaster counts as long as it is valid, also if the account gives way with its builds.
      user_op_hash text primary key,
      network int8 not null,
      account text collate "C" not null,
      kind text not null check (kind in ('sponsored', 'order', 'token')),
      caller text collate "C" not null,
      day text collate "C" not null,
      reserved numeric(78, 0) not null check (reserved >= 0),
      charged numeric(78, 0) check (charged >= 0),
      valid_until int8 not null,
      built_at_block int8 not null,
      created_at timestamptz not null,
      policy text collate "C",
      builder text collate "C",
      -- Builds only promise gas. It is taken from the budgets when the operation is submitted.
      taken bool not null default true,
      verdict text,
      -- Gas that the relayer pays, which the budgets of the policy count.
      relayer_gas int4 not null default 0
    )`.execute(db)
  await sql`create index sponsorships_open on sponsorships (network, created_at) where charged is null`.execute(
    db,
  )
  await sql`create index sponsorships_of_account on sponsorships (account, network, day)`.execute(db)
  await sql`
    create index sponsorships_unjudged on sponsorships (network, valid_until) where verdict is null`.execute(
    db,
  )
  await sql`create index sponsorships_unpaid on sponsorships (network, created_at) where verdict = 'unpaid'`.execute(
    db,
  )
  // Taking from a daily budget locks its row, so concurrent requests never exceed it. `settled` is the certain
  // part of `taken`. A budget of all days has the day `total`.
  await sql`
    create table sponsorship_days (
      network int8 not null,
      budget text collate "C" not null,
      day text collate "C" not null,
      taken numeric(78, 0) not null check (taken >= 0),
      settled numeric(78, 0) not null default 0,
      operations int8 not null default 0,
      promised numeric(78, 0) not null default 0,
      promises int8 not null default 0,
      primary key (network, budget, day)
    )`.execute(db)
  await sql`create index sponsorship_days_by_day on sponsorship_days (day) where day <> 'total'`.execute(db)
  // Callers who turn promises into money.
  await sql`
    create table sponsorship_suspensions (
      network int8 not null,
      subject text collate "C" not null,
      reason text not null,
      user_op_hash text not null,
      since timestamptz not null,
      until timestamptz not null,
      primary key (network, subject)
    )`.execute(db)
  // The last edit of the console counts. Without policies it returns to POLICIES_FILE.
  await sql`
    create table gas_policy_edits (
      number int4 primary key check (number > 0),
      policies jsonb,
      editor text not null,
      created_at timestamptz not null,
      project_id text not null default 'default'
    )`.execute(db)
}
