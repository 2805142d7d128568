import { openAsBlob } from 'node:fs'
import { noteStarted } from '@lanyard/testing'
import { type Driver, sql } from 'kysely'
import { GuardedKysely, HeldConnection, tracedDialect } from '../engines/common.ts'
import { ExclusivePGliteDialect, openPGlite } from '../engines/open-pglite.ts'
import { silentLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'

type OpenPGlite = Awaited<ReturnType<typeof openPGlite>>

/** A PGlite that tests use one after the other, and how to empty it. */
interface Pooled {
  readonly opened: OpenPGlite
  /** The catalogue of the image. A test that changes it keeps its PGlite. */
  readonly catalogue: string
  /** Each table with the rows that the migrations wrote, as JSON. */
  readonly tables: ReadonlyMap<string, string>
}

const idle: Pooled[] = []

/**
 * A migrated, empty PGlite. Tests of one worker use the same ones in turn: emptying one costs a fiftieth of opening
 * one.
 */
export async function leasePGlite(imageFile: string): Promise<OpenDatabase> {
  const pooled = idle.pop() ?? (await open(imageFile))
  const { pglite } = pooled.opened
  const held = new HeldConnection()
  const db = new GuardedKysely(tracedDialect(new LeasedDialect(pglite, held), pglite), held)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= db
      // Runs after every query and transaction that has begun.
      .connection()
      .execute(() => db.destroy())
      .catch(() => {})
      .then(() => giveBack(pooled))
    return closing
  }
  return {
    db,
    engine: 'pglite',
    pglite,
    ping: async () => void (await sql`select 1`.execute(db)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Ends with its lease, and leaves PGlite open. */
class LeasedDialect extends ExclusivePGliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    driver.destroy = async () => {}
    return driver
  }
}

async function open(imageFile: string): Promise<Pooled> {
  noteStarted('PGlite instances')
  const opened = await openPGlite({ loadDataDir: await openAsBlob(imageFile), log: silentLog })
  const { rows } = await opened.pglite.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const tables = new Map<string, string>()
  for (const { name } of rows) {
    const found = await opened.pglite.query<{ rows: string }>(
      `select coalesce(json_agg(t), '[]')::text as rows from "${name}" t`,
    )
    tables.set(name, found.rows[0]?.rows ?? '[]')
  }
  return { opened, catalogue: await readCatalogue(opened), tables }
}

async function giveBack(pooled: Pooled): Promise<void> {
  const { opened } = pooled
  try {
    if ((await readCatalogue(opened)) === pooled.catalogue) {
      await empty(pooled)
      idle.push(pooled)
      return
    }
  } catch {
    // It is dead, closed, or in another state that its test left.
  }
  await opened.close().catch(() => {})
}

const readCatalogue = async ({ pglite }: OpenPGlite): Promise<string> => {
  const counted = [
    'pg_class',
    'pg_attribute',
    'pg_constraint',
    'pg_proc',
    'pg_trigger',
    'pg_statistic',
    'pg_type',
  ]
  const { rows } = await pglite.query(
    counted.map((table) => `select '${table}' as name, count(*) from ${table}`).join(' union all '),
  )
  return JSON.stringify(rows)
}

/** Restores the rows, sequences and session settings of the image. */
async function empty({ opened: { pglite }, tables }: Pooled): Promise<void> {
  await pglite.exec('rollback')
  await pglite.exec('discard all')
  const literal = (name: string) => `'${(tables.get(name) ?? '[]').replaceAll("'", "''")}'`
  const { rows: changed } = await pglite.query<{ name: string }>(
    [...tables]
      .map(([name, image]) => {
        const isChanged =
          image === '[]'
            ? `exists (select from "${name}")`
            : `(select json_agg(t)::text from "${name}" t) is distinct from ${literal(name)}`
        return `select '${name}' as name where ${isChanged}`
      })
      .join(' union all '),
  )
  const restored = changed.map(({ name }) =>
    tables.get(name) === '[]'
      ? `delete from "${name}";`
      : `delete from "${name}";
         insert into "${name}" select * from json_populate_recordset(null::"${name}", ${literal(name)});`,
  )
  await pglite.exec(`
    begin;
    set local session_replication_role = replica;
    ${restored.join('\n')}
    select setval(quote_ident(sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public' and last_value is not null;
    commit;`)
}
