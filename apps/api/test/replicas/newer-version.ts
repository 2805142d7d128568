import { migrate, openDatabase } from '@lanyard/database'
import { migrations } from '@lanyard/database/testing'
import { type Kysely, sql } from 'kysely'

/*
 * Loaded before the service's own main, this module simulates the start of a newer version for the replicas that still
 * run. It migrates the database to a schema that they do not know, like `lanyard migrate` of that version.
 */

/** Every table that requests write. Each statement takes an exclusive lock on the table. */
const tables = ['users', 'accounts', 'operations', 'orders', 'idempotency_keys']

await using database = await openDatabase({ url: process.env.DATABASE_URL })
const applied = await migrate(database.db, {
  ...migrations,
  '9998-newer': {
    async up(db: Kysely<unknown>) {
      for (const table of tables) {
        await sql`alter table ${sql.table(table)} add column newer int4 not null default 0`.execute(db)
      }
      await sql`create index operations_newer on operations (newer)`.execute(db)
      await sql`select pg_sleep(0.2)`.execute(db)
    },
  },
})
process.stdout.write(`A newer version has applied ${applied.join(', ') || 'nothing'}.\n`)
