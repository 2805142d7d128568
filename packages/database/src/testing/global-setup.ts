import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import { testDatabaseUrl } from './env.ts'
import './provided-context.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { startTemporaryCluster } from './temporary-cluster.ts'
import { administer, createTemplate, type TestServer } from './test-server.ts'

/**
 * Vitest's `globalSetup`: one migrated PGlite image and one PostgreSQL a run, whatever number of suites use it.
 * Prints which engines the run has.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack()
  const [pgliteTemplate, postgres] = await Promise.all([makePGliteTemplate(started), startPostgres(started)])
  project.provide('lanyardDatabases', { pgliteTemplate, postgres: postgres.server })
  console.log(`Databases: PGlite; ${postgres.description}`)
  const running = started.move()
  return () => running.disposeAsync()
}

/** Loading an image takes a tenth of the time that initdb takes inside PGlite. */
async function makePGliteTemplate(started: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-pglite-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  await using database = await openDatabase()
  await migrate(database.db)
  const image = await database.pglite?.dumpDataDir('none')
  if (!image) throw new Error('openDatabase without a url is PGlite')
  const file = join(folder, 'template.tar')
  await writeFile(file, image.stream())
  return file
}

async function startPostgres(
  started: AsyncDisposableStack,
): Promise<{ server: TestServer | null; description: string }> {
  if (testDatabaseUrl) {
    const server = await createTemplate(testDatabaseUrl)
    started.defer(() => administer(server, `drop database ${server.template} with (force)`))
    return { server, description: 'PostgreSQL of TEST_DATABASE_URL' }
  }
  const binaries = findPostgresBinaries()
  if (!binaries) {
    return { server: null, description: 'no PostgreSQL (install it, or set TEST_DATABASE_URL)' }
  }
  const cluster = started.use(await startTemporaryCluster(binaries))
  return { server: await createTemplate(cluster.url), description: `temporary PostgreSQL of ${binaries}` }
}
