import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { LongFilesFirst } from '../src/long-files-first.ts'

test('behavior: a tagged file runs before larger ones of which no duration is known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-order-'))
  try {
    const one = "test('one', () => {})\n"
    await writeFile(join(folder, 'large.test.js'), one + '// '.padEnd(5_000, '-'))
    await writeFile(join(folder, 'tagged.test.js'), `/** @module-tag first */\n${one}`)
    await writeFile(join(folder, 'small.test.js'), one)
    const vitest = await createVitest('test', { root: folder, config: false, watch: false, reporters: [{}] })
    const sorted = await new LongFilesFirst(vitest).sort(await vitest.globTestSpecifications())
    await vitest.close()
    expect(sorted.map(({ moduleId }) => moduleId.slice(folder.length + 1))).toEqual([
      ...['tagged.test.js', 'large.test.js', 'small.test.js'],
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
