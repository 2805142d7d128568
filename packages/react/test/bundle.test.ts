import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/**
 * Gzipped bytes without react and TanStack Query, file by file, as a page loads them. `own` is this package alone. An account is
 * created and pays with what `signing` adds; grants of session keys and the curve of passkeys, which only a sign-in on a new
 * device needs, come later still.
 */
const budgets = {
  'the first view, this package alone': 13_500,
  'the first view': 22_000,
  'the first view, with viem': 34_000,
  'the first view and a payment, with viem': 65_000,
  'the entry of the account, with viem': 22_000,
}

const frameworks = /^(react|react-dom|@tanstack\/react-query)(\/|$)/
const peers = new RegExp(`${frameworks.source}|^viem(/|$)`)
const all = new RegExp(`${peers.source}|^(@lanyard|@simplewebauthn)/`)

interface Page {
  readonly external: RegExp
  readonly entry?: string
  /** Modules that a press loads. */
  readonly pressed?: string
}

async function measure({ external, entry = 'index.ts', pressed }: Page): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: new URL(`../src/${entry}`, import.meta.url).pathname, formats: ['es'] },
      rolldownOptions: { external, output: { minify: true } },
    },
  })
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const chunks = outputs.filter((output) => output.type === 'chunk')
  const loaded = new Set<(typeof chunks)[number]>()
  const load = (chunk: (typeof chunks)[number] | undefined) => {
    if (!chunk || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const imported of chunk.imports) load(chunks.find(({ fileName }) => fileName === imported))
  }
  for (const chunk of chunks)
    if (chunk.isEntry || (pressed && chunk.facadeModuleId?.endsWith(pressed))) load(chunk)
  const files = [...loaded].map(({ code }) => code)
  expect(files.join('')).toContain('LanyardProvider') // the bundle is not empty
  if (pressed) expect(files.join('')).toContain('lanyard.react.')
  return files.reduce((sum, code) => sum + gzipSync(code).length, 0)
}

test('behavior: what a page loads stays within its budgets', async () => {
  const sizes = {
    'the first view, this package alone': await measure({ external: all }),
    'the first view': await measure({ external: peers }),
    'the first view, with viem': await measure({ external: frameworks }),
    'the first view and a payment, with viem': await measure({
      external: frameworks,
      pressed: '/actions/index.ts',
    }),
    'the entry of the account, with viem': await measure({ external: frameworks, entry: 'account.ts' }),
  }
  for (const [page, budget] of Object.entries(budgets)) {
    const size = sizes[page as keyof typeof sizes]
    process.stdout.write(`@lanyard/react, ${page}: ${size} bytes gzip\n`)
    expect.soft(size, page).toBeLessThan(budget)
  }
})
