import { type Kysely, sql } from 'kysely'

/**
 * Counters by which one statement finds that another was first, where a lock would take a transaction: an account's
 * grows with each signature that is written, an operation's with each bundle that takes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column signatures int8 not null default 0`.execute(db)
  await sql`alter table operations add column bundles int4 not null default 0`.execute(db)
  // What builds and submissions look for, whatever an account's history is.
  await sql`
    create index operations_unresolved on operations (account, network)
    where not final and signature is not null and state <> 'included'`.execute(db)
  await sql`
    create index operations_signed on operations (account, built_at desc) where not final and signature is not null
  `.execute(db)
}
