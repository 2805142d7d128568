import { describe } from 'vitest'
import type { Engine } from '../open-database.ts'
import { testEngines } from './fresh-database.ts'

const names: Record<Engine, string> = { pglite: 'PGlite', postgresql: 'PostgreSQL' }

/**
 * A suite that runs on PGlite, and on PostgreSQL where the run has one (else it shows as skipped).
 *
 * ```ts
 * describeEachEngine('findAccount', (engine) => {
 *   test('default', async () => {
 *     await using database = await freshDatabase(engine)
 *   })
 * })
 * ```
 */
export function describeEachEngine(name: string, suite: (engine: Engine) => void): void {
  const engines = testEngines()
  for (const engine of ['pglite', 'postgresql'] as const) {
    describe.skipIf(!engines.includes(engine))(`${name} (${names[engine]})`, () => suite(engine))
  }
}
