import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { findUserByName, findUsernameConflict } from './usernames.ts'

describeEachEngine('findUserByName, findUsernameConflict', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'Älice')
    expect(await findUserByName(database.db, ' a\u0308LICE ')).toMatchObject({ username: 'Älice' })
    expect(await findUsernameConflict(database.db, 'älicE')).toBe('exists')
  })

  test('behavior: unknown', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'alice')
    expect(await findUserByName(database.db, 'alic')).toBeUndefined()
    expect(await findUsernameConflict(database.db, 'alic_')).toBeUndefined()
  })

  test('behavior: a name that looks the same is a different name', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'coco')
    const cyrillic = '\u0441\u043e\u0441\u043e'
    expect(await findUserByName(database.db, cyrillic)).toBeUndefined()
    expect(await findUsernameConflict(database.db, cyrillic)).toBe('looks-the-same')
    expect(await findUsernameConflict(database.db, 'coc0')).toBe('looks-the-same')
    expect(await findUsernameConflict(database.db, 'cocos')).toBeUndefined()
  })

  test('behavior: the database rejects a second name that looks the same', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'coco')
    await expect(insertAccount(database.db, '\u0441\u043e\u0441\u043e')).rejects.toMatchObject({
      constraint: 'users_username_skeleton',
    })
  })
})
