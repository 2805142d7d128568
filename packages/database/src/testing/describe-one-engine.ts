import { describe } from 'vitest'
import type { Engine } from '../opened-database.ts'
import { testEngines } from './fresh-database.ts'

/**
 * A suite whose subject is not the database: it runs on PostgreSQL where the machine has one, otherwise on PGlite. Each
 * suite of `describeEachEngine` costs twice as much.
 */
export function describeOneEngine(name: string, suite: (engine: Engine) => void): void {
  describe(name, () => suite(testEngines().at(-1) ?? 'pglite'))
}
