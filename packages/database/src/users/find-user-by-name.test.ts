import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { findUserByName } from './find-user-by-name.ts'
import { usernameExists } from './username-exists.ts'

describeEachEngine('findUserByName, usernameExists', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'Älice')
    expect(await findUserByName(database.db, ' a\u0308LICE ')).toMatchObject({ username: 'Älice' })
    expect(await usernameExists(database.db, 'älicE')).toBe(true)
  })

  test('behavior: unknown', async () => {
    await using database = await freshDatabase(engine)
    await insertAccount(database.db, 'alice')
    expect(await findUserByName(database.db, 'alic')).toBeUndefined()
    expect(await usernameExists(database.db, 'alic_')).toBe(false)
  })
})
