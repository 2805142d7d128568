import { type Kysely, sql } from 'kysely'

/** Indexes for deleting builds that nobody signed: to find them, and to find what still refers to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index operations_unsigned on operations (account, build_expires_at) where signature is null
  `.execute(db)
  await sql`create index operations_replaces on operations (replaces) where replaces is not null`.execute(db)
  await sql`create index orders_by_operation on orders (user_op_hash) where user_op_hash is not null`.execute(
    db,
  )
}
