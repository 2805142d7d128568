/** @module-tag all */
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../log.ts'
import { type CachedImage, cachedImage, cachedImageFile } from './cached-image.ts'
import { openPGlite } from './open-pglite.ts'

/** An image that only its own test uses. */
function testImage(make: CachedImage['make']): CachedImage {
  const image = { name: `test-${process.pid}`, ingredients: ['test'], make }
  onTestFinished(async () => rm(await cachedImageFile(image)))
  return image
}

test('behavior: two processes that start at once share the first image, and neither loses it', async () => {
  const makers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const opened = (maker: PromiseWithResolvers<void> | undefined) =>
    cachedImage(
      testImage(async () => {
        await maker?.promise
        const { pglite } = await openPGlite({ log: silentLog })
        return pglite
      }),
    )
  const [first, second] = makers.map(opened)
  makers[0]?.resolve()
  const image = await first
  makers[1]?.resolve()
  const other = await second
  // A file that is replaced makes an open Blob unreadable.
  expect((await image?.arrayBuffer())?.byteLength).toBe(other?.size)
})
