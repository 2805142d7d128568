/** @module-tag all */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../scripts/pack-packages.mjs', import.meta.url))
const pack = (...parameters: string[]) => promisify(execFile)(process.execPath, [program, ...parameters])

test('behavior: packing replaces earlier tarballs of the same package, and leaves other files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-packed-'))
  try {
    const others = ['lanyard-react-0.0.1.tgz', 'notes.txt']
    for (const file of [...others, 'lanyard-connect-0.0.1.tgz']) writeFileSync(join(folder, file), '')
    await pack('@lanyard/connect', folder)
    expect(readdirSync(folder).toSorted()).toEqual([
      expect.stringMatching(/^lanyard-connect-(?!0\.0\.1\.)/),
      ...others,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['nothing', []],
  ['no folder', ['@lanyard/connect']],
  ['no package', ['artifacts/packages']],
  ['an unknown package', ['@lanyard/unknown', 'artifacts/packages']],
])('error: %s is answered with the usage', async (_, parameters) => {
  await expect(pack(...parameters)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Name one or more packages, then a folder: /),
  })
})
