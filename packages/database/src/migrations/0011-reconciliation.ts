import { type Kysely, sql } from 'kysely'

/** Indexes for the passes of the reconciliation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index operations_unfinished`.execute(db)
  await sql`
    create index operations_open on operations (network, signed_at, user_op_hash)
    where not final and state <> 'included' and signed_at is not null`.execute(db)
  await sql`
    create index operations_not_final on operations (network, block_number, block_hash)
    where not final and state = 'included'`.execute(db)
}
