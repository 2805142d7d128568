import { createHash, randomUUID } from 'node:crypto'
import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'

/** Raise it when the way in which images are made changes; their ingredients are in the name anyway. */
const layout = '2'

/**
 * Half of the image, and so of what a database in memory takes: copies of a new database, from which nobody makes
 * another one here.
 */
const slimming = [
  'update pg_database set datistemplate = false',
  'drop database if exists template0',
  'drop database if exists template1',
  'vacuum full',
  'checkpoint',
]

const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url))

export interface CachedImage {
  /** Of the file: `NAME-FINGERPRINT.tar`. */
  readonly name: string
  /** Whatever the image depends on besides PGlite's version. */
  readonly ingredients: readonly (string | Uint8Array)[]
  /** Opens what is to be kept. */
  readonly make: () => Promise<PGlite>
}

/**
 * A PGlite as `loadDataDir` takes it, made once for each version of PGlite and each state of the ingredients, and then
 * kept beside the package's other caches. Loading one costs a tenth of what initdb costs inside PGlite.
 *
 * @returns undefined where nothing can be kept (a read-only installation): then PGlite initialises itself.
 */
export async function cachedImage(image: CachedImage): Promise<Blob | undefined> {
  try {
    return await openAsBlob(await cachedImageFile(image))
  } catch {
    return undefined
  }
}

/** As {@link cachedImage}, but answers the path of the file, or rejects. */
export async function cachedImageFile({ name, ingredients, make }: CachedImage): Promise<string> {
  const fileName = `${name}-${fingerprint(ingredients)}.tar`
  const file = join(cacheFolder, fileName)
  if (existsSync(file)) return file

  await mkdir(cacheFolder, { recursive: true })
  const partial = join(cacheFolder, randomUUID())
  try {
    const pglite = await make()
    try {
      for (const statement of slimming) await pglite.exec(statement)
      const image = await pglite.dumpDataDir('none')
      await writeFile(partial, image.stream())
    } finally {
      await pglite.close()
    }
    await rename(partial, file) // Whoever runs at the same time sees all of it or nothing.
  } finally {
    await rm(partial, { force: true })
  }
  const outdated = (await readdir(cacheFolder)).filter(
    (other) => other.startsWith(`${name}-`) && other.endsWith('.tar') && other !== fileName,
  )
  await Promise.all(outdated.map((other) => rm(join(cacheFolder, other), { force: true })))
  return file
}

function fingerprint(ingredients: CachedImage['ingredients']): string {
  // The package manager's path of PGlite names its version.
  const hash = createHash('sha256').update(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  hash.update(layout)
  for (const ingredient of ingredients) hash.update(ingredient)
  return hash.digest('hex').slice(0, 16)
}
