import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url).pathname

test('behavior: what answers a request reads the project from its context', () => {
  const files = ['routers/', 'pipeline/'].flatMap((folder) =>
    readdirSync(source + folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => source + folder + file),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => /services\.project\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})
