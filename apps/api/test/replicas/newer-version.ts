import { migrate, openDatabase } from '@lanyard/database'
import { migrations } from '@lanyard/database/testing'
import { type Kysely, sql } from 'kysely'

/*
 * Imported before the service's own main: what a newer version's start is for the replicas that serve meanwhile. It
 * brings the database to a schema that they do not know, as `lanyard migrate` of that version would.
 */

/** Every table that a request writes; each statement takes the table's exclusive lock. */
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
