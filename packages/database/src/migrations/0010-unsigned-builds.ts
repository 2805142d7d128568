import { type Kysely, sql } from 'kysely'

/** What deleting builds that nobody signed looks for: which these are, and what still refers to one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index operations_unsigned on operations (account, build_expires_at) where signature is null
  `.execute(db)
  await sql`create index operations_replaces on operations (replaces) where replaces is not null`.execute(db)
  await sql`create index orders_by_operation on orders (user_op_hash) where user_op_hash is not null`.execute(
    db,
  )
}
