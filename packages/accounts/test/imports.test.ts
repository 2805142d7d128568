import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sources = globSync('src/**/*.ts', { cwd: new URL('..', import.meta.url) }).filter(
  (path) => !path.endsWith('.test.ts'),
)

test.each(sources)('behavior: %s imports only viem and ABIs', (path) => {
  const source = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const imported = [...source.matchAll(/ from '([^']+)'/g)].map((match) => match[1])
  for (const specifier of imported) {
    expect(specifier).toMatch(/^(\.|viem$|viem\/(account-abstraction|accounts|utils)$|@lanyard\/onchain$)/)
  }
  expect(source).not.toMatch(/\b(Buffer|process)\b\./)
})
