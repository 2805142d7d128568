import type { InputIssue } from '@lanyard/contracts'

export interface ReadQuery {
  readonly values: ReadonlyMap<string, string>
  /** Names that stand there more than once. */
  readonly issues: readonly InputIssue[]
}

/**
 * The query string as it stands: flat, text only, each name once. Express' own parsers make arrays and objects of
 * repeated and bracketed names, which no endpoint declares.
 */
export function readQuery(url: string): ReadQuery {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const repeated = [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1)
  return {
    values: new Map(parameters),
    issues: repeated.map((path) => ({ path, message: 'Given more than once' })),
  }
}
