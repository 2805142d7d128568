import type { TestDatabase } from '@lanyard/database/testing'

export interface Statements {
  /** The SQL texts since the last call, in order. A transaction adds `begin` and `end`. */
  take(): readonly string[]
}

/** Records the statements that PGlite runs. Statement counts are exact, unlike timings. */
export function recordStatements({ pglite }: Pick<TestDatabase, 'pglite'>): Statements {
  if (!pglite) throw new TypeError('recordStatements needs PGlite')
  let recorded: string[] = []
  const query = pglite.query.bind(pglite)
  pglite.query = (text, ...more) => {
    recorded.push(text)
    return query(text, ...more)
  }
  const transaction = pglite.transaction.bind(pglite)
  pglite.transaction = async (callback) => {
    recorded.push('begin')
    try {
      return await transaction((tx) => {
        const inside = tx.query.bind(tx)
        tx.query = (text, ...more) => {
          recorded.push(text)
          return inside(text, ...more)
        }
        return callback(tx)
      })
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
