/** @module-tag all */
import { randomUUID } from 'node:crypto'
import { usernameKey, usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../schema.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { findLookAlikes } from './refresh-skeletons.ts'
import { findUserByName, findUsernameConflict } from './usernames.ts'

let inserted = 0

/** A name with the skeleton of an earlier table. */
async function insertEarlier(db: Kysely<Database>, ...names: (readonly [string, string])[]): Promise<void> {
  const rows = names.map(([username, username_skeleton]) => ({
    id: randomUUID(),
    kind: 'passkey' as const,
    username,
    username_key: usernameKey(username),
    username_skeleton,
    skeleton_version: usernameSkeletonVersion - 1,
    created_at: new Date(++inserted),
  }))
  await db.insertInto('users').values(rows).execute()
}

const skeletons = async (db: Kysely<Database>) => {
  const rows = await db
    .selectFrom('users')
    .select(['username', 'username_skeleton', 'skeleton_version'])
    .execute()
  expect(new Set(rows.map((row) => row.skeleton_version))).toEqual(new Set([usernameSkeletonVersion]))
  return Object.fromEntries(rows.map((row) => [row.username, row.username_skeleton]))
}

describeEachEngine('refreshSkeletons', (engine) => {
  test('default: a name of an earlier table prevents names that look like it now', async () => {
    await using database = await freshDatabase(engine)
    await insertEarlier(database.db, ['aIice', 'aiice'])
    expect(await findUsernameConflict(database.db, 'alice')).toBeUndefined()
    await migrate(database.db)
    expect(await findUsernameConflict(database.db, 'alice')).toBe('looks-the-same')
    expect(await findLookAlikes(database.db)).toEqual([])
  })

  test('behavior: of two names that look alike now, the older one has the skeleton, and both work', async () => {
    await using database = await freshDatabase(engine)
    await insertEarlier(database.db, ['mail', 'mail'], ['maıl', 'maıl'], ['maiI', 'maii'])
    await migrate(database.db)
    expect(await skeletons(database.db)).toEqual({ mail: 'mail', maıl: null, maiI: null })
    expect(await findLookAlikes(database.db)).toEqual(['maiI', 'maıl'])
    expect(await findUserByName(database.db, 'maıl')).toMatchObject({ username: 'maıl' })
  })

  test('behavior: a name has a skeleton that another one had before', async () => {
    await using database = await freshDatabase(engine)
    await insertEarlier(database.db, ['one', 'two'], ['two', 'three'], ['three', 'one'])
    await migrate(database.db)
    expect(await skeletons(database.db)).toEqual(
      Object.fromEntries(['one', 'two', 'three'].map((name) => [name, usernameSkeleton(name)])),
    )
  })

  test('behavior: a name that was registered under the present table keeps its skeleton', async () => {
    await using database = await freshDatabase(engine)
    await insertEarlier(database.db, ['aIice', 'aiice'])
    await insertAccount(database.db, 'alice')
    await migrate(database.db)
    expect(await skeletons(database.db)).toEqual({ aIice: null, alice: 'alice' })
  })

  test('behavior: more names than one transaction changes', async () => {
    await using database = await freshDatabase(engine)
    const names = Array.from({ length: 1_001 }, (_, number) => `name 1 of ${number}`)
    await insertEarlier(database.db, ...names.map((name) => [name, name] as const))
    await migrate(database.db)
    expect((await skeletons(database.db))['name 1 of 999']).toBe('name l of 999')
  })
})
