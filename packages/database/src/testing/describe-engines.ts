import { describe } from 'vitest'
import type { Engine } from '../opened-database.ts'
import { testEngines, usualEngine } from './fresh-database.ts'

type Suite = (engine: Engine) => void

const names: Record<Engine, string> = { pglite: 'PGlite', postgresql: 'PostgreSQL' }

/**
 * A suite that runs on PGlite, and in `npm run test:all` also on PostgreSQL where the machine has one (else it shows as
 * skipped).
 *
 * ```ts
 * describeEachEngine('findAccount', (engine) => {
 *   test('default', async () => {
 *     await using database = await freshDatabase(engine)
 *   })
 * })
 * ```
 */
export function describeEachEngine(name: string, suite: Suite): void {
  const engines = testEngines()
  for (const engine of ['pglite', 'postgresql'] as const) {
    describe.skipIf(!engines.includes(engine))(
      `${name} (${names[engine]})`,
      { tags: engine === 'postgresql' ? ['all'] : [] },
      () => suite(engine),
    )
  }
}

/**
 * A suite whose subject is not the database, on one engine. Each suite of `describeEachEngine` costs twice as much.
 */
export function describeOneEngine(name: string, suite: Suite): void {
  describe(name, () => suite(usualEngine()))
}
