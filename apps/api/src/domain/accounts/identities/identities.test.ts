import type { Database } from '@lanyard/database'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { linkIdentity, recordIdentityUse, requireIdentity } from './identities.ts'

const now = new Date('2026-01-02T00:00:00Z')
const [older, newer] = ['0'.repeat(64), 'f'.repeat(64)]
const loginOf = (...hashes: [string, ...string[]]) => ({
  ...{ issuer: 'https://login.example', hashes, expiresAt: now },
})

async function insertUser(db: Kysely<Database>, username: string): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .insertInto('users')
    .values({
      ...{ id, kind: 'passkey', username, username_key: username, username_skeleton: username },
      ...{ skeleton_version: 1, created_at: now },
    })
    .execute()
  return id
}

describeEachEngine('identities', (engine) => {
  test('behavior: a login that a process with old secrets linked again means what the newest secret says', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const link = async (hash: string, username: string) => {
      const userId = await insertUser(db, username)
      return db
        .transaction()
        .execute((transaction) => linkIdentity(transaction, loginOf(hash), { userId, now }))
    }
    // The link moved to the new secret; then a process that does not know it took the login for a new person.
    const moved = await link(older, 'alice')
    await recordIdentityUse(db, moved, loginOf(newer, older), now)
    const second = await link(older, 'alice-2')
    expect(await requireIdentity(db, loginOf(newer, older))).toMatchObject({ id: moved.id })
    expect(await requireIdentity(db, loginOf(older, newer))).toMatchObject({ id: second.id })
    await recordIdentityUse(db, moved, loginOf(newer, older), now)
    expect(await requireIdentity(db, loginOf(newer, older))).toMatchObject({ id: moved.id })
  })
})
