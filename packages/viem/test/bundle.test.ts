import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const index = new URL('../src/index.ts', import.meta.url).pathname

// Gzipped, without viem.
test.each([
  ['toLanyardSmartAccount', 8, 'createProxyWithNonce'],
  ['toLanyardDelegatedAccount', 1, 'getNonce'],
])('behavior: the code that %s adds to a page with viem is below %i KiB', async (name, kib, contained) => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        load: (id) => (id.endsWith('?page') ? `export { ${name} } from '${index}'` : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      lib: { entry: `${index}?page`, formats: ['es'] },
      rolldownOptions: { external: /^viem(\/|$)/, output: { minify: true } },
    },
  })
  const [{ output } = { output: [] }] = [built].flat().filter((result) => 'output' in result)
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  expect(code).toContain(contained) // the bundle is not empty
  expect(gzipSync(code).length).toBeLessThan(kib * 1024)
})
