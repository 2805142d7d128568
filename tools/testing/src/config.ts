import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { mayRun, tagFilters, tier } from './tier.ts'

type TestOptions = NonNullable<ViteUserConfig['test']>

const tags = [
  { name: 'all', description: 'Left out of npm test; npm run test:all runs it.' },
  { name: 'long', description: 'Takes minutes, or needs a registry: npm run test:long.' },
  { name: 'longer', description: 'Does more in npm run test:long.' },
]

/** A file that runs in no test of this tier is not even loaded. */
const filesOfOtherTiers = () =>
  globSync('**/*.{test,e2e}.{ts,tsx}', { exclude: ['**/node_modules/**'] }).filter((file) => {
    const fileTags = [...readFileSync(file, 'utf8').matchAll(/^\/\*\* @module-tag (\w+)/gm)]
    return !mayRun(
      fileTags.map(([, tag = '']) => tag),
      tier,
    )
  })

/**
 * A package's vitest configuration: its own options over those that every suite shares. `TEST_TIER` chooses the tests,
 * `TEST_SEED` what they draw.
 */
export function testConfig(own: TestOptions = {}): ViteUserConfig {
  process.env.TEST_SEED ??= String(randomInt(2 ** 31))
  const filter = tagFilters[tier]
  const shared = {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', ...filesOfOtherTiers()],
    setupFiles: [fileURLToPath(new URL('./setup.ts', import.meta.url))],
    reporters: ['default', fileURLToPath(new URL('./reporter.ts', import.meta.url))],
    tags,
    ...(filter && { tagsFilter: [filter] }),
    // Some packages have no test in some tier.
    passWithNoTests: filter !== undefined,
    // A test that fails is a defect, of the test or of the code.
    retry: 0,
    // Bounds on a hang, and no more: what takes 4 seconds alone may take 100 on a busy machine. Tests set shorter ones
    // nowhere.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Loading the modules of a service once a worker, not once a file, saves a third of the time.
    isolate: false,
  } satisfies TestOptions & { tagsFilter?: string[] }
  return defineConfig({ test: { ...shared, ...own } })
}
