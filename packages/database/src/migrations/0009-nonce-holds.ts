import { type Kysely, sql } from 'kysely'

/**
 * Lanes of builds whose payer is signing. That happens outside any transaction, because the signer may be
 * remote.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table nonce_holds (
      hold_id uuid primary key,
      account text collate "C" not null references accounts (address),
      network int8 not null,
      nonce_key numeric(58, 0) not null,
      expires_at timestamptz not null
    )
  `.execute(db)
  await sql`create index nonce_holds_account on nonce_holds (account, network)`.execute(db)
}
