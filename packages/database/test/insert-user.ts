import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../src/schema.ts'

/** Inserts a user without an account. */
export async function insertUser(db: Kysely<Database>, name: string): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: randomUUID(),
      kind: 'passkey',
      username: name,
      username_key: name,
      created_at: new Date(),
    })
    .execute()
}
