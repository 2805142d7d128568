import type { InputIssue } from '@lanyard/contracts'

export interface ReadQuery {
  readonly values: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly issues: readonly InputIssue[]
}

/**
 * Parses the query string: flat, only text, each name once. Express' own parsers create arrays and objects
 * for repeated and bracketed names, which no endpoint declares.
 */
export function readQuery(url: string): ReadQuery {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  const start = url.indexOf('?')
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (values.has(name)) repeated.add(name)
      values.set(name, value)
    }
  }
  return { values, issues: [...repeated].map((path) => ({ path, message: 'Given more than once' })) }
}
