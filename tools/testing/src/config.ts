import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { LongFilesFirst } from './long-files-first.ts'
import { runsIn, tagFilters, tier } from './tier.ts'

type TestOptions = NonNullable<ViteUserConfig['test']>

const tags = [
  { name: 'all', description: 'Left out of npm test; npm run test:all runs it.' },
  { name: 'long', description: 'Takes minutes, or needs a registry: npm run test:long.' },
  { name: 'longer', description: 'Does more in npm run test:long.' },
  { name: 'first', description: 'Takes long: runs before the other files of its package.' },
]

/** Files without a test in this tier. They are not even loaded. */
const filesOfOtherTiers = () =>
  globSync('**/*.{test,e2e}.{ts,tsx}', { exclude: ['**/node_modules/**'] }).filter((file) => {
    const text = readFileSync(file, 'utf8')
    const ofFile = [...text.matchAll(/^\/\*\* @module-tag (\w+)/gm)].map(([, tag = '']) => tag)
    // A test has the tags of its file and its own.
    const ofTests = /\btags\b|describeEachEngine/.test(text) ? ['all', 'long', 'longer'] : []
    return ![[], ...ofTests.map((tag) => [tag])].some((own) => runsIn([...ofFile, ...own], tier))
  })

const hasJsx = () => globSync('**/*.tsx', { exclude: ['**/node_modules/**', '**/dist/**'] }).length > 0

/**
 * A package's vitest configuration: its own options merged over the shared ones. `TEST_TIER` selects the
 * tests, and `TEST_SEED` seeds their random values.
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
    // Some packages have no tests in some tiers.
    passWithNoTests: filter !== undefined,
    sequence:
      process.env.TEST_ORDER === 'random'
        ? // Files that only pass in one order share a state that they do not mention.
          { shuffle: { files: true, tests: false }, seed: Number(process.env.TEST_SEED) }
        : { sequencer: LongFilesFirst },
    // A failing test is a defect of the test or of the code. Only `.ci/run` repeats one, and reports it (repeat/main.ts).
    retry: 0,
    // Limits only hangs: a test that takes 4 seconds alone may take 100 on a busy machine. No test sets a
    // shorter time-out.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // Loading the service's modules once per worker instead of once per file saves a third of the time.
    isolate: false,
    // Node loads TypeScript by itself, for less than Vite does. Only JSX needs Vite.
    experimental: { viteModuleRunner: hasJsx() },
  } satisfies TestOptions & { tagsFilter?: string[] }
  return defineConfig({ test: { ...shared, ...own } })
}
