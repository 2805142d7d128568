import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const publicFile = (path: string) => readFileSync(new URL(`../public${path}`, import.meta.url))
const worker = publicFile('/sw.js').toString()

test('behavior: a change to the offline page changes the worker, so that browsers fetch it again', () => {
  const files = [...(/const files = \[(.*)\]/.exec(worker)?.[1] ?? '').matchAll(/'([^']+)'/g)]
  const hash = createHash('sha256')
  for (const [, path = ''] of files) hash.update(publicFile(path))
  expect(files.length).toBeGreaterThan(1)
  expect(/const shell = '(.*)'/.exec(worker)?.[1]).toBe(`offline-${hash.digest('hex').slice(0, 8)}`)
})

test('behavior: every icon of the manifest exists in its size', () => {
  const { icons } = JSON.parse(publicFile('/manifest.webmanifest').toString())
  const pngs = icons.filter(({ type }: { type: string }) => type === 'image/png')
  expect(pngs.map(({ purpose, sizes }: Record<string, string>) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 512x512',
  ])
  for (const { src, sizes } of pngs) {
    const file = publicFile(src)
    // IHDR, the first chunk of a PNG, starts with width and height.
    expect(`${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`).toBe(sizes)
  }
})
