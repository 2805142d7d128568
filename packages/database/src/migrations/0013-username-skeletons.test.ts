import { randomUUID } from 'node:crypto'
import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { findUserByName } from '../users/find-user-by-name.ts'
import { findUsernameConflict } from '../users/find-username-conflict.ts'
import { migrations } from './index.ts'

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0013'))

describeEachEngine('0013-username-skeletons', (engine) => {
  test('behavior: names that look the same keep working; the oldest one has the skeleton', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const { db } = database
    await migrate(db, before)
    const names = ['coco', '\u0441\u043e\u0441\u043e', '0x7099...79C8', 'm\u0430ria', 'maria']
    const filling = Array.from({ length: 1_100 }, (_, index) => `user-${index}`)
    await db
      .insertInto('users')
      .values(
        [...names, ...filling].map((username, index) => ({
          id: randomUUID(),
          kind: 'passkey' as const,
          username,
          username_key: usernameKey(username),
          created_at: new Date(index),
        })),
      )
      .execute()

    await migrate(db, migrations)

    for (const username of names) expect(await findUserByName(db, username)).toMatchObject({ username })
    const rows = await db
      .selectFrom('users')
      .select(['username', 'username_skeleton'])
      .orderBy('created_at')
      .execute()
    expect(rows.slice(0, names.length).map(({ username_skeleton }) => username_skeleton)).toEqual([
      'coco',
      null,
      '0x7099...79c8',
      'maria',
      null,
    ])
    expect(
      rows
        .slice(names.length)
        .filter(({ username, username_skeleton }) => usernameSkeleton(username) !== username_skeleton),
    ).toEqual([])
    expect(await findUsernameConflict(db, 'user-1099')).toBe('exists')
  })
  test('behavior: an earlier version let a look-alike register; both keep working, and no third can', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const { db } = database
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0068')))
    await db
      .insertInto('users')
      .values(
        ['alice', 'aIice'].map((username, index) => ({
          id: randomUUID(),
          kind: 'passkey' as const,
          username,
          username_key: usernameKey(username),
          username_skeleton: username.toLowerCase(),
          created_at: new Date(index),
        })),
      )
      .execute()
    await migrate(db, migrations)
    for (const username of ['alice', 'aIice'])
      expect(await findUserByName(db, username)).toMatchObject({ username })
    expect(await findUsernameConflict(db, 'a1ice')).toBe('looks-the-same')
  })
})
