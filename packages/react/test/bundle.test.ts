import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/**
 * Gzipped bytes, without react, TanStack Query and viem: everything that a page loads, and this package
 * alone. A page that uses only hooks loads 3 kB less, without the components.
 */
const budgets = { all: 34 * 1024, own: 11 * 1024 }

/**
 * Gzipped bytes with viem, of everything, even what a page loads later. A tenth is the curve of passkeys, which phones do not have
 * and which only a sign-in on a new device loads.
 */
const wholeBudget = 118 * 1000

const peers = /^(viem|react|react-dom|@tanstack\/react-query)(\/|$)/

const withoutViem = /^(react|react-dom|@tanstack\/react-query)(\/|$)/

async function measure(external: RegExp, isWhole = false): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: new URL('../src/index.ts', import.meta.url).pathname, formats: ['es'] },
      rolldownOptions: { external, output: { minify: true } },
    },
  })
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const chunks = outputs.filter((output) => output.type === 'chunk')
  // The grant verification is a separate chunk, which only `authorize` loads.
  const atOnce = new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [entry.fileName, ...entry.imports]),
  )
  const code = chunks.flatMap((chunk) => (isWhole || atOnce.has(chunk.fileName) ? chunk.code : [])).join('')
  expect(code).toContain('lanyard.react.accounts') // the bundle is not empty
  return gzipSync(code).length
}

test('behavior: the code that a page loads initially stays within its budget', async () => {
  const all = await measure(peers)
  const own = await measure(new RegExp(`${peers.source}|^(@lanyard|@simplewebauthn)/`))
  process.stdout.write(`@lanyard/react: ${own} bytes gzip of its own, ${all} with what it imports\n`)
  expect(own).toBeLessThan(budgets.own)
  expect(all).toBeLessThan(budgets.all)
  const withViem = await measure(withoutViem)
  const whole = await measure(withoutViem, true)
  process.stdout.write(`With viem: ${withViem} at once, ${whole} with what is loaded later\n`)
  expect(whole).toBeLessThan(wholeBudget)
})
