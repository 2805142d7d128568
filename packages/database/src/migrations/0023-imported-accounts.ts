import { type Kysely, sql } from 'kysely'

/**
 * Accounts of another service whose users may come: for each EOA, which account of it gets the name and the external id of the
 * operator's file. Until its EOA signs, a row is a reservation with an end, and no account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A name that only waits for its user: no request finds it, and no other user gets it.
  await sql`alter table users add column reserved boolean not null default false`.execute(db)
  await sql`
    create table imported_accounts (
      eoa_address text collate "C" primary key check (eoa_address = lower(eoa_address)),
      account_kind text not null check (account_kind in ('safe', 'eip7702')),
      external_id text collate "C" unique,
      -- Until it is claimed, the reserved name, if there is one; then the account's user.
      user_id uuid unique references users (id) on delete cascade,
      imported_at timestamptz not null,
      expires_at timestamptz not null,
      claimed_at timestamptz
    )`.execute(db)
  await sql`create index imported_accounts_waiting on imported_accounts (expires_at) where claimed_at is null`.execute(
    db,
  )
}
