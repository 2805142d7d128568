import { PGlite } from '@electric-sql/pglite'
import { cachedImage } from './cached-image.ts'

/**
 * In memory the log of what was written counts as well, and its files are as large as this from the beginning: 16 MB
 * by default.
 */
const smallLogFiles = ['--wal-segsize=1']

/** An empty PGlite, without what initdb does: that is most of the service's start. */
export const initialisedImage = (): Promise<Blob | undefined> =>
  cachedImage({
    name: 'initialised',
    ingredients: smallLogFiles,
    make: () => PGlite.create({ initDbStartParams: smallLogFiles }),
  })
