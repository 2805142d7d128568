import { PGlite } from '@electric-sql/pglite'
import { cachedImage } from './cached-image.ts'

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
