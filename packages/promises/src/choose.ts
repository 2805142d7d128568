import type { PromiseOfQuality } from './promise.ts'

export interface Choice {
  readonly promises: readonly PromiseOfQuality[]
  readonly long: boolean
  readonly json: boolean
  readonly write: boolean
}

/**
 * Reads the command's arguments: numbers of promises, `--long`, `--json`, `--write`.
 *
 * @returns what to do, or what is wrong, in words
 */
export function choose(all: readonly PromiseOfQuality[], parameters: readonly string[]): Choice | string {
  const switches = ['--long', '--json', '--write']
  const known = new Map(all.map((promise) => [String(promise.id), promise]))
  const unknown = parameters.filter((parameter) => !switches.includes(parameter) && !known.has(parameter))
  if (unknown.length > 0) {
    return `Unknown: ${unknown.join(', ')}. Usage: pnpm promises [${[...known.keys()].join('|')}]… [${switches.join('] [')}]`
  }
  const chosen = all.filter(({ id }) => parameters.includes(String(id)))
  const write = parameters.includes('--write')
  if (write && chosen.length > 0) return '--write writes the whole table: leave the numbers out.'
  return {
    promises: chosen.length > 0 ? chosen : all,
    long: parameters.includes('--long'),
    json: parameters.includes('--json'),
    write,
  }
}
