import { type Kysely, sql } from 'kysely'

/** Indexes for builds, submissions and the activity list, for accounts with very many operations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index operations_unresolved on operations (account, network)
    where not final and state <> 'included' and signature is not null`.execute(db)
  await sql`
    create index operations_included_nonces on operations (account, network, nonce_key, nonce_sequence)
    where state = 'included'`.execute(db)
  await sql`create index operations_activity on operations (account, signed_at) where signed_at is not null`.execute(
    db,
  )
  // Operations that another bundler included have no signature here either, and are kept.
  await sql`drop index operations_lapsed`.execute(db)
  await sql`
    create index operations_lapsed on operations (build_expires_at) where signature is null and signed_at is null`.execute(
    db,
  )
}
