import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** Gzipped bytes. */
const budget = 4.5 * 1024

test.each(['index', 'wagmi'])('behavior: %s imports nothing and stays within its budget', async (entry) => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: new URL(`../src/${entry}.ts`, import.meta.url).pathname, formats: ['es'] },
      rolldownOptions: { external: () => false, output: { minify: true } },
    },
  })
  const [{ output } = { output: [] }] = [built].flat().filter((result) => 'output' in result)
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  expect(code).toContain('lanyard:ready') // the bundle is not empty
  expect(code).not.toMatch(/\bimport\b/)
  const { length } = gzipSync(code)
  process.stdout.write(`@lanyard/connect ${entry}: ${length} bytes gzip\n`)
  expect(length).toBeLessThan(budget)
})
