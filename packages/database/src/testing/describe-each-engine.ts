import { describe } from 'vitest'
import type { Engine } from '../opened-database.ts'
import { testEngines } from './fresh-database.ts'

type Suite = (engine: Engine) => void

interface Options {
  /**
   * The suite runs on this engine only in `npm run test:all`. Default: PostgreSQL. PGlite, where locks, several
   * connections or lost connections are what it tests.
   */
  readonly repeatOn?: Engine
}

const names: Record<Engine, string> = { pglite: 'PGlite', postgresql: 'PostgreSQL' }

/**
 * A suite that runs on PGlite, and on PostgreSQL where the run has one (else it shows as skipped). `npm test` runs it on
 * one engine, and `npm run test:all` repeats it on the engine named by `repeatOn`.
 *
 * ```ts
 * describeEachEngine('findAccount', (engine) => {
 *   test('default', async () => {
 *     await using database = await freshDatabase(engine)
 *   })
 * })
 * ```
 */
export function describeEachEngine(
  name: string,
  ...[first, second]: [suite: Suite] | [options: Options, suite: Suite]
): void {
  const [{ repeatOn = 'postgresql' }, suite] =
    typeof first === 'function' ? [{}, first] : [first, second as Suite]
  const engines = testEngines()
  for (const engine of ['pglite', 'postgresql'] as const) {
    describe.skipIf(!engines.includes(engine))(
      `${name} (${names[engine]})`,
      { tags: engine === repeatOn && engines.length > 1 ? ['all'] : [] },
      () => suite(engine),
    )
  }
}
