import { type Kysely, sql } from 'kysely'

/** Answers that are replayed for a retry with the same Idempotency-Key, what callers may still use, and passes. */
export async function createRequests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      caller text collate "C" not null,
      endpoint text collate "C" not null,
      key text collate "C" not null,
      request_hash text not null,
      state text not null check (state in ('running', 'unfinished', 'finished')),
      claim uuid not null,
      claim_expires_at timestamptz not null,
      answer text,
      created_at timestamptz not null,
      primary key (caller, endpoint, key),
      check ((state = 'running') = (answer is null))
    )`.execute(db)
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db)
  // The columns and their order are the ones that rate-limiter-flexible writes. Counters cover the last
  // minute, so the table is unlogged: it costs no WAL, and after a crash the counters restart.
  await sql`
    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db)
  await sql`create index rate_limits_by_expiry on rate_limits (expire)`.execute(db)
  // What callers cost lately. Unlogged too: after a crash every allowance is full.
  await sql`
    create unlogged table cost_levels (
      name text primary key,
      level float8 not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index cost_levels_by_age on cost_levels (updated_at)`.execute(db)
  // Background passes that a process has begun recently, so that replicas do not repeat them. A crash may lose
  // rows; then some of the work is done once more.
  await sql`
    create unlogged table passes (
      name text collate "C" primary key,
      next_at timestamptz not null
    )`.execute(db)
}
