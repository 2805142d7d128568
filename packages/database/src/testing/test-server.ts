import { randomUUID } from 'node:crypto'
import { noteStarted } from '@lanyard/testing'
import pg from 'pg'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'

/** A server on which suites create their own databases from a migrated template. */
export interface TestServer {
  /** URL of a database on it that exists and is not the template. */
  readonly url: string
  readonly template: string
  /** Each table of the template with the rows that the migrations wrote, as JSON. */
  readonly rows: Readonly<Record<string, string>>
}

export function databaseUrl(server: Pick<TestServer, 'url'>, name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements on a connection of their own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // A test may stop the server while we wait.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Runs one statement outside all pools, because `create database` and `drop database` cannot run in a
 * transaction.
 */
export const administer = async ({ url }: Pick<TestServer, 'url'>, statement: string): Promise<void> =>
  void (await withClient(url, (client) => client.query(statement)))

/** A name that no other run uses on the same server, and that starts with the name of the run's template. */
export const testDatabaseName = ({ template }: Pick<TestServer, 'template'>): string =>
  `${template}_${randomUUID().slice(0, 8)}`

export async function createTemplate(url: string): Promise<TestServer> {
  const template = `lanyard_test_${randomUUID().replaceAll('-', '')}`
  await administer({ url }, `create database ${template} template template0 encoding 'UTF8'`)
  const templateUrl = databaseUrl({ url }, template)
  await using database = await openDatabase({ url: templateUrl, maxConnections: 1 })
  noteStarted('migration runs')
  await migrate(database.db)
  return { url, template, rows: await readRows(templateUrl) }
}

async function readRows(url: string): Promise<TestServer['rows']> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    const { rows } = await client.query<{ name: string; rows: string }>(
      tables
        .map(
          ({ name }) =>
            `select '${name}' as name, coalesce(json_agg(t), '[]')::text as rows from "${name}" t`,
        )
        .join(' union all '),
    )
    return Object.fromEntries(rows.map((table) => [table.name, table.rows]))
  })
}

/** Removes what a run has left on a server that outlives it. */
export async function dropTestDatabases({ url, template }: TestServer): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [template],
    )
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
  })
}
