// @promise 17
import { expect, test } from 'vitest'
import { insertAccount } from '../../test/insert-account.ts'
import { insertUser } from '../../test/insert-user.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from './create-eoa-account.ts'
import { searchUsers } from './search-users.ts'

const address = (start: string) => `0x${start.padEnd(40, '0')}`

async function withNames(database: OpenDatabase, ...names: readonly string[]) {
  // No query is a prefix of their addresses.
  for (const [index, name] of names.entries())
    await insertAccount(database.db, name, address(`ff${String(index).padStart(2, '0')}`))
  return async (query: string, limit?: number) =>
    (await searchUsers(database.db, query, limit === undefined ? {} : { limit })).map((user) => user.username)
}

describeEachEngine('searchUsers', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'Malice', 'alicia', 'bob', 'Alice', 'alice2', 'mali')
    expect(await search('ALI')).toEqual(['Alice', 'alice2', 'alicia', 'mali', 'Malice'])
    expect(await search('alice')).toEqual(['Alice', 'alice2', 'Malice'])
    expect(await search('carol')).toEqual([])
  })

  test('behavior: the exact name comes first, even if another sorts before it', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'bo', 'boa')
    expect(await search('bo')).toEqual(['bo', 'boa'])
    expect(await search('bo', 1)).toEqual(['bo'])
  })

  test('behavior: two characters match only prefixes, and one character only the whole name', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'xalice', 'alx', 'a')
    expect(await search('al')).toEqual(['alx'])
    expect(await search('a')).toEqual(['a'])
    expect(await search('')).toEqual([])
  })

  test('behavior: returns at most 20 results, prefixes first, without duplicates', async () => {
    await using database = await freshDatabase(engine)
    const numbers = Array.from({ length: 15 }, (_, index) => String(index).padStart(2, '0'))
    const search = await withNames(
      database,
      ...numbers.map((n) => `an ant ${n}`),
      ...numbers.map((n) => `ant ant ${n}`),
    )
    expect(await search('ant')).toEqual([
      ...numbers.map((n) => `ant ant ${n}`),
      ...numbers.slice(0, 5).map((n) => `an ant ${n}`),
    ])
    expect(await search('ant', 16)).toHaveLength(16)
    expect(await search('ant', 1000)).toHaveLength(20)
  })

  test('behavior: finds punctuation inside names', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'ann---', '---ann', 'a--')
    expect(await search('---')).toEqual(['---ann', 'ann---'])
    expect(await search('a--')).toEqual(['a--'])
    expect(await search('n--')).toEqual(['ann---'])
    expect(await search('nn-')).toEqual(['ann---'])
  })

  test("behavior: treats LIKE's special characters as ordinary", async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'a_b', 'axb', '100%', '1000', 'c\\d', 'cxd')
    expect(await search('a_b')).toEqual(['a_b'])
    expect(await search('100%')).toEqual(['100%'])
    expect(await search('c\\d')).toEqual(['c\\d'])
    expect(await search('%%%')).toEqual([])
    expect(await search('__')).toEqual([])
  })

  test('behavior: finds nothing for NUL, which PostgreSQL texts cannot contain', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'alice')
    for (const query of ['\0', 'al\0', 'alice\0', 'alice\0@']) expect(await search(query)).toEqual([])
  })

  test('behavior: finds letters of any script, in any form', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'Ärger', 'Grüße', '小林さん', 'über')
    expect(await search('A\u0308R')).toEqual(['Ärger'])
    expect(await search('ÜSS')).toEqual([])
    expect(await search('RÜß')).toEqual(['Grüße'])
    expect(await search('小林')).toEqual(['小林さん'])
    expect(await search('林さん')).toEqual(['小林さん'])
  })

  test("behavior: finds by a prefix of the smart account's or first owner's address", async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database)
    await insertAccount(database.db, 'alice', address('ab1'))
    await insertAccount(database.db, 'bob', address('ab2'))
    const { account } = await createEoaAccount(database.db, {
      address: address('ab0'),
      eoaAddress: address('cd'),
      deployment: {},
      createdAt: new Date(),
    })
    expect(await search('0xAB')).toEqual([account.username, 'alice', 'bob'])
    expect(await search('0xab1')).toEqual(['alice'])
    expect(await search(address('ab2'))).toEqual(['bob'])
    expect(await searchUsers(database.db, '0xcd')).toEqual([
      { username: account.username, address: address('ab0') },
    ])
    expect(await search('0xzz')).toEqual([])
  })

  test('behavior: lists names before addresses', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database, 'my0xab', '0xabby')
    await insertAccount(database.db, 'alice', address('ab'))
    expect(await search('0xab')).toEqual(['0xabby', 'my0xab', 'alice'])
  })

  test('behavior: finds an e-mail address only by its whole text', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database)
    await insertAccount(database.db, 'alice', address('cd'))
    await insertAccount(database.db, 'Alice@example.org', address('ab'))
    expect(await search('alice')).toEqual(['alice'])
    expect(await search('alice@')).toEqual([])
    expect(await search('example')).toEqual([])
    expect(await search('0xab')).toEqual([])
    expect(await search(address('ab'))).toEqual([])
    expect(await search('alice@EXAMPLE.org')).toEqual(['Alice@example.org'])
  })

  test('behavior: a user without an account is not found', async () => {
    await using database = await freshDatabase(engine)
    const search = await withNames(database)
    await insertUser(database.db, 'alice')
    expect(await search('alice')).toEqual([])
  })
})
