import { type Kysely, sql } from 'kysely'

/** Unsigned builds own no nonce; their rows say who built them, and are deleted soon after they end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index operations_one_build_a_nonce`.execute(db)
  await sql`alter table operations add column built_by text collate "C"`.execute(db)
  await sql`alter table nonce_holds add column built_by text collate "C" not null default ''`.execute(db)
  // A build may be deleted before the one that was to replace it.
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
  // The end of `userOp.signature`: the 65 bytes of an EOA, and the 64 of a P-256 session key, whose point follows them.
  await sql`
    create index operations_by_ecdsa on operations (account, right(signature, 130)) where signature is not null
  `.execute(db)
  await sql`
    create index operations_by_p256 on operations (account, left(right(signature, 256), 128))
    where signature is not null and sign_mode = 'SESSION_KEY'
  `.execute(db)
  await sql`create index orders_unsigned on orders (reserved_at) where user_op_hash is null`.execute(db)
}
