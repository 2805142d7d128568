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
}

export function databaseUrl(server: TestServer, name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Runs one statement outside all pools, because `create database` and `drop database` cannot run in a
 * transaction.
 */
export async function administer(server: Pick<TestServer, 'url'>, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => {}) // A test may stop the server while we wait.
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A name that no other run uses on the same server. */
export function testDatabaseName(): string {
  return `lanyard_test_${randomUUID().replaceAll('-', '')}`
}

export async function createTemplate(url: string): Promise<TestServer> {
  const server = { url, template: testDatabaseName() }
  await administer(server, `create database ${server.template} template template0 encoding 'UTF8'`)
  await using database = await openDatabase({ url: databaseUrl(server, server.template), maxConnections: 1 })
  noteStarted('migration runs')
  await migrate(database.db)
  return server
}
