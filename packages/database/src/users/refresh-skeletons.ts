import { usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isUniqueViolation } from '../errors.ts'
import { lockMigrations } from '../migration-lock.ts'
import type { Database } from '../schema.ts'

/** Names that one transaction changes. */
const pageSize = 500

/**
 * Computes the skeletons again that follow earlier tables of look-alikes. If two names look alike now, the older one keeps
 * the skeleton. The other one keeps working without a skeleton. One process at a time changes a page.
 */
export async function refreshSkeletons(db: Kysely<Database>): Promise<void> {
  for (let read = pageSize; read === pageSize; ) {
    read = await db
      .transaction()
      .execute(refreshPage)
      .catch((error: unknown) => {
        // Somebody has just registered a name that looks like one of these: the next read finds it.
        if (isUniqueViolation(error, 'users_username_skeleton')) return pageSize
        throw error
      })
  }
}

/** @returns the number of names that were read */
async function refreshPage(transaction: Transaction<Database>): Promise<number> {
  await lockMigrations(transaction)
  const stale = await transaction
    .selectFrom('users')
    .select(['id', 'username', 'username_skeleton as before'])
    .where('skeleton_version', '<', usernameSkeletonVersion)
    .orderBy('skeleton_version')
    .orderBy('created_at')
    .orderBy('id')
    .limit(pageSize)
    .execute()
  const named = stale.map((row) => ({ ...row, skeleton: usernameSkeleton(row.username) }))
  const changed = named.filter(({ before, skeleton }) => before !== skeleton)
  // A name that is not computed again yet prevents no other from having its earlier skeleton.
  await sql`
    update users set username_skeleton = null
    where skeleton_version < ${usernameSkeletonVersion} and (id = any(${changed.map(({ id }) => id)}::uuid[])
      or username_skeleton = any(${changed.map(({ skeleton }) => skeleton)}::text[]))`.execute(transaction)
  const firstOf = new Map(named.toReversed().map(({ id, skeleton }) => [skeleton, id]))
  const own = named.map(({ id, skeleton }) => (firstOf.get(skeleton) === id ? skeleton : null))
  await sql`
    update users set skeleton_version = ${usernameSkeletonVersion},
      username_skeleton = case when exists (
        select from users other where other.username_skeleton = given.skeleton and other.id <> given.id
      ) then null else given.skeleton end
    from unnest(${named.map(({ id }) => id)}::uuid[], ${own}::text[]) as given (id, skeleton)
    where users.id = given.id`.execute(transaction)
  return stale.length
}

/** Names that look like an older one. They were stored before a table of look-alikes said so. */
export async function findLookAlikes(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('username_skeleton', 'is', null)
    .orderBy('username_key')
    .execute()
  return rows.map(({ username }) => username)
}
