import { tracingChannel } from 'node:diagnostics_channel'
import type { TestDatabase } from '@lanyard/database/testing'

export interface Statements {
  /** The SQL texts since the last call, in order. A transaction adds `begin` and `end`. */
  take(): readonly string[]
}

/** Records the statements that PGlite runs. Statement counts are exact, unlike timings. */
export function recordStatements({ pglite }: Pick<TestDatabase, 'pglite'>): Statements {
  if (!pglite) throw new TypeError('recordStatements needs PGlite')
  let recorded: string[] = []
  const start = (statement: unknown) => {
    const { sql, source } = statement as { readonly sql: string; readonly source: object } // of the database package
    if (source === pglite && sql !== 'commit') recorded.push(sql)
  }
  const ignored = { end() {}, asyncStart() {}, asyncEnd() {}, error() {} }
  tracingChannel('lanyard:statement').subscribe({ start, ...ignored })
  const transaction = pglite.transaction.bind(pglite)
  pglite.transaction = async (callback) => {
    recorded.push('begin')
    try {
      return await transaction(callback)
    } finally {
      recorded.push('end')
    }
  }
  return {
    take() {
      const taken = recorded
      recorded = []
      return taken
    },
  }
}
