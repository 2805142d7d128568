import type { PromiseOfQuality } from './promise.ts'

export interface Choice {
  readonly promises: readonly PromiseOfQuality[]
  readonly long: boolean
  readonly json: boolean
  /** Keep the results and write the page. */
  readonly write: boolean
  /** Only write the page, from stored results. */
  readonly page: boolean
}

/**
 * Parses the command's arguments: numbers of promises, `--long`, `--json`, `--write`, `--page`.
 *
 * @returns the choice, or an error message
 */
export function choose(all: readonly PromiseOfQuality[], parameters: readonly string[]): Choice | string {
  const switches = ['--long', '--json', '--write', '--page']
  const known = new Map(all.map((promise) => [String(promise.id), promise]))
  const unknown = parameters.filter((parameter) => !switches.includes(parameter) && !known.has(parameter))
  if (unknown.length > 0) {
    return `Unknown: ${unknown.join(', ')}. Usage: pnpm promises [${[...known.keys()].join('|')}]… [${switches.join('] [')}]`
  }
  const page = parameters.includes('--page')
  if (page && parameters.length > 1) return '--page runs nothing: it stands alone.'
  const chosen = all.filter(({ id }) => parameters.includes(String(id)))
  return {
    promises: chosen.length > 0 ? chosen : all,
    long: parameters.includes('--long'),
    json: parameters.includes('--json'),
    write: parameters.includes('--write'),
    page,
  }
}
