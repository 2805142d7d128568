import { describe } from 'vitest'
import type { Engine } from '../opened-database.ts'
import { usualEngine } from './fresh-database.ts'

/**
 * A suite whose subject is not the database, on one engine. Each suite of `describeEachEngine` costs twice as much.
 */
export function describeOneEngine(name: string, suite: (engine: Engine) => void): void {
  describe(name, () => suite(usualEngine()))
}
