import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The installed version of one of this package's dependencies. */
function versionOf(name: string): string {
  const path = fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url))
  if (!existsSync(path)) throw new TypeError(`${name} is not a dependency of this package`)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string } // npm's format
  return version
}

/** Name → version. */
export const versionsOf = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, versionOf(name)]))
