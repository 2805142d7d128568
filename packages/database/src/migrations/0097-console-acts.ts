import { type Kysely, sql } from 'kysely'

/** What the console edits and asks for, and what it shows of relayers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The last edit counts. Without policies it returns to POLICIES_FILE.
  await sql`
    create table gas_policy_edits (
      number int4 primary key check (number > 0),
      policies jsonb,
      editor text not null,
      created_at timestamptz not null
    )`.execute(db)
  // The last test of each endpoint: a worker sends it, because only workers have the key of the secrets.
  await sql`
    create table webhook_tests (
      endpoint_id text primary key references webhook_endpoints on delete cascade,
      requested_at timestamptz not null,
      next_attempt_at timestamptz not null,
      answered_at timestamptz,
      status int4,
      answer text
    )`.execute(db)
  await sql`create index webhook_tests_open on webhook_tests (next_attempt_at) where answered_at is null`.execute(
    db,
  )
  // What a mined transaction cost its relayer, and what EntryPoint paid it, wei. Null until its receipt was read.
  await sql`alter table relayer_transactions add column spent numeric, add column earned numeric`.execute(db)
  await sql`
    create index relayer_transactions_by_day on relayer_transactions (created_at) where spent is not null`.execute(
    db,
  )
}
