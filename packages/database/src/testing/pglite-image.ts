import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url))
const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url))

/**
 * The file of a migrated, empty PGlite, for `loadDataDir`: loading it takes a tenth of the time that initdb takes
 * inside PGlite. Made once for each state of the migrations and each version of PGlite, and then kept.
 */
export async function pgliteImage(): Promise<string> {
  const name = `pglite-${await fingerprint()}.tar`
  const file = join(cacheFolder, name)
  if (existsSync(file)) return file

  await mkdir(cacheFolder, { recursive: true })
  const partial = join(cacheFolder, randomUUID())
  try {
    await using database = await openDatabase()
    await migrate(database.db)
    const image = await database.pglite?.dumpDataDir('none')
    if (!image) throw new Error('openDatabase without a url is PGlite')
    await writeFile(partial, image.stream())
    await rename(partial, file) // Whoever runs at the same time sees all of it or nothing.
  } finally {
    await rm(partial, { force: true })
  }
  const outdated = (await readdir(cacheFolder)).filter(
    (other) => /^pglite-.*\.tar$/.test(other) && other !== name,
  )
  await Promise.all(outdated.map((other) => rm(join(cacheFolder, other), { force: true })))
  return file
}

async function fingerprint(): Promise<string> {
  // The package manager's path of it names the version.
  const hash = createHash('sha256').update(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  for (const file of (await readdir(migrationsFolder)).sort()) {
    hash.update(await readFile(join(migrationsFolder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
