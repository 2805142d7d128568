import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** Gzipped bytes, without viem. */
const budget = 8 * 1024

test('behavior: the code that the package adds to a page with viem stays within its budget', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: new URL('../src/index.ts', import.meta.url).pathname, formats: ['es'] },
      rolldownOptions: { external: /^viem(\/|$)/, output: { minify: true } },
    },
  })
  const [{ output } = { output: [] }] = [built].flat().filter((result) => 'output' in result)
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  expect(code).toContain('createProxyWithNonce') // the bundle is not empty
  expect(gzipSync(code).length).toBeLessThan(budget)
})
