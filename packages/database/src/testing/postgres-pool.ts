import { noteStarted } from '@lanyard/testing'
import type pg from 'pg'
import { openDatabase } from '../open-database.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { administer, databaseUrl, type TestServer, testDatabaseName, withClient } from './test-server.ts'

/** A database that tests use one after the other, and the catalogue of the template that it is a copy of. */
interface Pooled {
  readonly name: string
  readonly catalogue: string
}

const idle: Pooled[] = []

/** Rows of a test beyond which its database is dropped: the dead rows would slow down the next test. */
const maxRows = 5_000

/**
 * A migrated, empty database of PostgreSQL. Tests of one worker use the same ones in turn: the server copies and removes
 * 300 files for a new one.
 */
export async function leasePostgres(server: TestServer): Promise<OpenDatabase & { readonly url: string }> {
  const pooled = idle.pop() ?? (await create(server))
  const url = databaseUrl(server, pooled.name)
  const database = await openDatabase({ url })
  return {
    ...database,
    url,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await giveBack(server, pooled)
    },
  }
}

async function create(server: TestServer): Promise<Pooled> {
  noteStarted('databases of PostgreSQL created')
  const name = testDatabaseName(server)
  await administer(server, `create database ${name} template ${server.template} strategy = file_copy`)
  return { name, catalogue: await withClient(databaseUrl(server, name), readCatalogue) }
}

async function giveBack(server: TestServer, pooled: Pooled): Promise<void> {
  try {
    const isEmpty = await withClient(databaseUrl(server, pooled.name), async (client) => {
      await endOthers(client)
      return (await readCatalogue(client)) === pooled.catalogue && (await empty(client, server))
    })
    if (isEmpty) {
      idle.push(pooled)
      return
    }
  } catch {
    // Nobody may connect, or it is in another state that its test left.
  }
  await administer(server, `drop database if exists ${pooled.name} with (force)`)
}

/** Ends the connections that killed processes left. Their locks and transactions end with them. */
async function endOthers(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
}

/**
 * How many rows each catalogue has, and the newest transaction that wrote one: a test that changes tables, rights,
 * settings or statistics keeps its database.
 */
async function readCatalogue(client: pg.Client): Promise<string> {
  const local = [
    'pg_class',
    'pg_attribute',
    'pg_attrdef',
    'pg_constraint',
    'pg_index',
    'pg_proc',
    'pg_trigger',
    'pg_type',
    'pg_namespace',
    'pg_sequence',
    'pg_statistic',
    'pg_statistic_ext',
    'pg_policy',
    'pg_rewrite',
    'pg_default_acl',
    'pg_extension',
    'pg_publication',
  ].map((table) => ({ table, where: 'true' }))
  const shared = [
    { table: 'pg_database', where: 'datname = current_database()' },
    {
      table: 'pg_db_role_setting',
      where: 'setdatabase = (select oid from pg_database where datname = current_database())',
    },
  ]
  const { rows } = await client.query(
    [...local, ...shared]
      .map(
        ({ table, where }) =>
          `select '${table}' as name, count(*), max(xmin::text::bigint) as newest from ${table} where ${where}`,
      )
      .join(' union all '),
  )
  return JSON.stringify(rows)
}

/** Restores rows and sequences of the template. @returns false if it has too many rows */
async function empty(client: pg.Client, { rows: initial }: TestServer): Promise<boolean> {
  const literal = (name: string) => `'${(initial[name] ?? '[]').replaceAll("'", "''")}'`
  const { rows: changed } = await client.query<{ name: string }>(
    Object.entries(initial)
      .map(([name, rows]) => {
        const isChanged =
          rows === '[]'
            ? `exists (select from "${name}")`
            : `(select json_agg(t)::text from "${name}" t) is distinct from ${literal(name)}`
        return `select '${name}' as name where ${isChanged}`
      })
      .join(' union all '),
  )
  let deleted = 0
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  for (const { name } of changed) {
    deleted += (await client.query(`delete from "${name}"`)).rowCount ?? 0
    if (initial[name] === '[]') continue
    await client.query(
      `insert into "${name}" select * from json_populate_recordset(null::"${name}", ${literal(name)})`,
    )
  }
  await client.query(
    `select setval(quote_ident(sequencename)::regclass, start_value, false)
     from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  await client.query('commit')
  return deleted <= maxRows
}
