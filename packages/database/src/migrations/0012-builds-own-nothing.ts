import { type Kysely, sql } from 'kysely'

/**
 * Unsigned builds reserve no nonce. Their rows record who built them, and are deleted soon after they expire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index operations_one_build_a_nonce`.execute(db)
  await sql`alter table operations add column built_by text collate "C"`.execute(db)
  await sql`alter table nonce_holds add column built_by text collate "C" not null default ''`.execute(db)
  // A build may be deleted before the one that was meant to replace it.
  await sql`
    alter table operations drop constraint operations_replaces_fkey,
      add constraint operations_replaces_fkey foreign key (replaces) references operations (user_op_hash)
        on delete set null
  `.execute(db)

  await sql`drop index operations_unsigned`.execute(db)
  await sql`
    create index operations_unsigned on operations (account, built_by, build_expires_at) where signature is null
  `.execute(db)
  await sql`create index operations_lapsed on operations (build_expires_at) where signature is null`.execute(
    db,
  )
  // The end of `userOp.signature`: an EOA's 65 bytes, or a P-256 session key's 64, which are followed by its
  // point.
  await sql`
    create index operations_by_ecdsa on operations (account, right(signature, 130)) where signature is not null
  `.execute(db)
  await sql`
    create index operations_by_p256 on operations (account, left(right(signature, 256), 128))
    where signature is not null and sign_mode = 'SESSION_KEY'
  `.execute(db)
  await sql`create index orders_unsigned on orders (reserved_at) where user_op_hash is null`.execute(db)
}
