import { createHash, randomUUID } from 'node:crypto'
import { existsSync, openAsBlob } from 'node:fs'
import { link, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

/** Increase this when the way images are made changes; the file name already depends on their ingredients. */
const layout = '2'

/**
 * Removes template databases. They are half of the image, and so half of the memory of a database in memory,
 * and nothing here creates databases from them.
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
  /** Prefix of the file name: `NAME-FINGERPRINT.tar`. */
  readonly name: string
  /** Everything that the image depends on besides PGlite's version. */
  readonly ingredients: readonly (string | Uint8Array)[]
  /** Opens the database that becomes the image. */
  readonly make: () => Promise<PGlite>
}

/**
 * A PGlite image for `loadDataDir`, made once for each version of PGlite and each state of the ingredients,
 * then kept beside the package's other caches. Loading it costs a tenth of what initdb costs inside PGlite.
 *
 * @returns undefined if files cannot be written (a read-only installation); PGlite then initialises itself
 */
export async function cachedImage(image: CachedImage): Promise<Blob | undefined> {
  try {
    return await openAsBlob(await cachedImageFile(image))
  } catch {
    return undefined
  }
}

/** Like {@link cachedImage}, but returns the path of the file, or rejects. */
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
    await keepFirst(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  const outdated = (await readdir(cacheFolder)).filter(
    (other) => other.startsWith(`${name}-`) && other.endsWith('.tar') && other !== fileName,
  )
  await Promise.all(outdated.map((other) => rm(join(cacheFolder, other), { force: true })))
  return file
}

/**
 * Gives a complete file its name, unless another process was first: replacing that one's file would make the
 * Blobs that are open on it unreadable.
 */
async function keepFirst(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file)
  } catch {
    // Some file systems have no hard links.
    if (!existsSync(file)) await rename(partial, file)
  }
}

function fingerprint(ingredients: CachedImage['ingredients']): string {
  // The package manager's path of PGlite names its version.
  const hash = createHash('sha256').update(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  hash.update(layout)
  for (const ingredient of ingredients) hash.update(ingredient)
  return hash.digest('hex').slice(0, 16)
}

/**
 * Write-ahead log files also use memory in a database in memory. Each has this size from the beginning: 16 MB
 * by default.
 */
const smallLogFiles = ['--wal-segsize=1']

/** An image of an empty PGlite. It skips initdb, which takes most of the service's start. */
export const initialisedImage = (): Promise<Blob | undefined> =>
  cachedImage({
    name: 'initialised',
    ingredients: smallLogFiles,
    make: () => PGlite.create({ initDbStartParams: smallLogFiles }),
  })
