import { type Kysely, sql } from 'kysely'

/**
 * Responses that are replayed for a retry with the same Idempotency-Key, and the counters of the rate limits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
