import { createHash, randomUUID } from 'node:crypto'
import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url))

/** The package manager's path of PGlite names its version. */
const version = createHash('sha256')
  .update(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  .digest('hex')
  .slice(0, 16)

/**
 * An empty PGlite as `loadDataDir` takes it. Loading one costs a tenth of what initdb costs inside PGlite, which is
 * most of the service's start. Made once and kept beside the package's other caches.
 *
 * @returns undefined where nothing can be kept (a read-only installation): then PGlite initialises itself.
 */
export async function initialisedImage(): Promise<Blob | undefined> {
  const file = join(cacheFolder, `initialised-${version}.tar`)
  try {
    if (!existsSync(file)) await writeImage(file)
    return await openAsBlob(file)
  } catch {
    return undefined
  }
}

async function writeImage(file: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const partial = join(cacheFolder, randomUUID())
  const pglite = await PGlite.create()
  try {
    const image = await pglite.dumpDataDir('none')
    await writeFile(partial, image.stream())
    await rename(partial, file) // Whoever runs at the same time sees all of it or nothing.
  } finally {
    await pglite.close()
    await rm(partial, { force: true })
  }
}
