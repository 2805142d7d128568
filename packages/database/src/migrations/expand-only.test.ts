import { usualEngine } from '@lanyard/database/testing'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findContractions, readSchemaShape } from '../../test/schema-shape.ts'
import { migrate } from '../migrate.ts'
import { freshDatabase, type TestDatabase } from '../testing/index.ts'
import { migrations } from './index.ts'

/**
 * Statements that look like contractions but are not, with the reason. A migration that removes something is
 * called `NNNN-contract-…`, and is released one version after the code has stopped using it.
 */
const known: Readonly<Record<string, string>> = {}

// The statements are the same on both engines. PostgreSQL runs them faster, and is the engine that is
// upgraded under load.
const engine = usualEngine()

describe(`migrations (${engine})`, () => {
  test('behavior: each migration only adds, so queries of the previous version still work', async () => {
    await using database = await freshDatabase(engine, { migrated: false })
    const applied: Record<string, Migration> = {}
    const found: Record<string, string[]> = {}
    for (const [name, migration] of Object.entries(migrations)) {
      const before = await readSchemaShape(database.db)
      applied[name] = migration
      await migrate(database.db, applied)
      if (/^\d+-contract(-|$)/.test(name)) continue
      const contractions = findContractions(before, await readSchemaShape(database.db))
      found[name] = contractions.filter((contraction) => !(contraction in known))
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(migrations).map((name) => [name, []])))
  })

  describe('findContractions', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await freshDatabase(engine)
    })
    afterAll(() => database[Symbol.asyncDispose]())

    /** The contractions in a statement, which is rolled back afterwards. */
    async function contractionsOf(statement: string): Promise<string[]> {
      let found: string[] = []
      const undone = new Error('undone')
      const run = database.db.transaction().execute(async (transaction) => {
        const before = await readSchemaShape(transaction)
        await sql.raw(statement).execute(transaction)
        found = findContractions(before, await readSchemaShape(transaction))
        throw undone
      })
      await expect(run).rejects.toBe(undone)
      return found
    }

    test.each([
      ['alter table users drop column listed cascade', 'users.listed is gone'],
      ['alter table users rename column username to name', 'users.username is gone'],
      [
        'alter table webhook_deliveries alter column attempts type int8',
        'webhook_deliveries.attempts was integer',
      ],
      [
        'alter table operations alter column reason_code set not null',
        'operations.reason_code must no longer be null',
      ],
      ['alter table users add column note text not null', 'users.note is new and must be given'],
      ['create unique index one_each on operations (safe_op_hash)', 'one_each binds operations.safe_op_hash'],
      ['alter table users add constraint short check (length(username) < 9)', 'short binds users.username'],
      ['drop table challenges', 'challenges.challenge is gone'],
    ])('args: %s', async (statement, contraction) => {
      expect(await contractionsOf(statement)).toContainEqual(expect.stringContaining(contraction))
    })

    test.each([
      'alter table users add column note text',
      "alter table users add column note text not null default ''",
      'alter table users add column note text check (length(note) < 9)',
      'create index by_note on users (created_at)',
      'create table notes (user_id uuid not null unique references users (id))',
    ])('behavior: finds nothing in %s', async (statement) => {
      expect(await contractionsOf(statement)).toEqual([])
    })
  })
})
