import type { TestProject } from 'vitest/node'
import { migratedImageFile } from '../migrated-image.ts'
import { testDatabaseUrl } from './env.ts'
import './provided-context.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { startTemporaryCluster } from './temporary-cluster.ts'
import { createTemplate, dropTestDatabases, type TestServer } from './test-server.ts'

/**
 * Vitest's `globalSetup`: one migrated PGlite image and one PostgreSQL per run, shared by all suites. Prints
 * the engines of the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack()
  const postgres = await startPostgres(started)
  const pgliteImageFile = await migratedImageFile()
  project.provide('lanyardDatabases', { pgliteImageFile, postgres: postgres.server })
  console.log(`Databases: PGlite; ${postgres.description}`)
  const running = started.move()
  return () => running.disposeAsync()
}

async function startPostgres(
  started: AsyncDisposableStack,
): Promise<{ server: TestServer | null; description: string }> {
  if (testDatabaseUrl) {
    const server = await createTemplate(testDatabaseUrl)
    started.defer(() => dropTestDatabases(server))
    return { server, description: 'PostgreSQL of TEST_DATABASE_URL' }
  }
  const binaries = findPostgresBinaries()
  if (!binaries) {
    return { server: null, description: 'no PostgreSQL (install it, or set TEST_DATABASE_URL)' }
  }
  const cluster = started.use(await startTemporaryCluster(binaries))
  return { server: await createTemplate(cluster.url), description: `temporary PostgreSQL of ${binaries}` }
}
