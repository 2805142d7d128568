import { type Kysely, sql } from 'kysely'

/** Invitations of guardians. The secret of the link is stored as its hash only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table guardian_invitations (
      token_hash text collate "C" primary key,
      user_id uuid not null references users (id),
      label text not null,
      guardian text collate "C",
      created_at timestamptz not null,
      expires_at timestamptz not null,
      answered_at timestamptz
    )`.execute(db)
  await sql`create index guardian_invitations_by_user on guardian_invitations (user_id, created_at)`.execute(
    db,
  )
}
