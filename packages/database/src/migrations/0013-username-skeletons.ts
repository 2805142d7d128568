import { usernameSkeleton } from '@lanyard/contracts'
import { type Kysely, sql } from 'kysely'

const pageSize = 1_000

interface NamedUser {
  readonly id: string
  readonly username: string
  /** As text: a JavaScript date has no microseconds. */
  readonly created: string
}

/**
 * Prevents new names from looking like existing ones. Of existing names that look the same, only the oldest
 * gets the skeleton. All of them remain valid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column username_skeleton text collate "C"`.execute(db)
  await sql`create unique index users_username_skeleton on users (username_skeleton)`.execute(db)
  await fillSkeletons(db)
}

/** Gives each name its skeleton, oldest first, unless another name has it. */
export async function fillSkeletons(db: Kysely<unknown>): Promise<void> {
  let last: Pick<NamedUser, 'id' | 'created'> | undefined = {
    created: '-infinity',
    id: '00000000-0000-0000-0000-000000000000',
  }
  while (last) last = await fillPage(db, last)
}

/** @returns the last user of the page; undefined after the last page */
async function fillPage(
  db: Kysely<unknown>,
  after: Pick<NamedUser, 'id' | 'created'>,
): Promise<NamedUser | undefined> {
  const { rows } = await sql<NamedUser>`
    select id, username, created_at::text as created from users
    where (created_at, id) > (${after.created}::timestamptz, ${after.id}::uuid)
    order by created_at, id limit ${pageSize}
  `.execute(db)
  const given = rows.map(({ id, username }, place) => ({ id, place, skeleton: usernameSkeleton(username) }))
  await sql`
    update users set username_skeleton = firsts.skeleton
    from (
      select distinct on (skeleton) id, skeleton
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id uuid, place int4, skeleton text)
      where not exists (select from users as older where older.username_skeleton = given.skeleton)
      order by skeleton, place
    ) as firsts
    where users.id = firsts.id
  `.execute(db)
  return rows.at(-1)
}
