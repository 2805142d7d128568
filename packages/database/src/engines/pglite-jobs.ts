import { type PGlite, type Results, types } from '@electric-sql/pglite'
import type { HeldConnection } from './held-connection.ts'

/** What pg-boss' `fromPglite` takes. */
export interface JobsPGlite {
  query<T>(text: string, values?: unknown[]): Promise<{ rows: T[] }>
  exec(text: string): Promise<Results[]>
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>
}

/**
 * PGlite's own column types: pg-boss is tested with these, not with ours. PGlite has none for numeric, and would take
 * ours, which knows integers only; pg-boss measures the age of jobs in fractions of seconds.
 */
const options = { parsers: { ...types.parsers, [types.NUMERIC]: (text: string) => text } }

/**
 * The PGlite instance as pg-boss may share it with us.
 *
 * pg-boss sends `begin; …; commit` as one text. Where that fails, it rolls back in a second call, and between
 * the two the connection would be ours, in an aborted transaction. Inside PGlite's own transaction there is no
 * such gap: the text's `begin` is a no-op there (a warning), and its `commit` ends the transaction early.
 */
export function pgliteForJobs(pglite: PGlite, held: HeldConnection): JobsPGlite {
  return {
    query: (text, values) => {
      held.assertFree()
      return pglite.query(text, values, options)
    },
    exec: (text) => {
      held.assertFree()
      if (!/^\s*begin\b/i.test(text)) return pglite.exec(text, options)
      return pglite.transaction((tx) => tx.exec(text, options))
    },
    listen: (channel, callback) => pglite.listen(channel, callback),
  }
}
