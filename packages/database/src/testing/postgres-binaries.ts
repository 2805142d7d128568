import { accessSync, constants, globSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from './env.ts'

/**
 * The folder with `initdb` and `postgres`: on the path, or else the newest one where Linux distributions and
 * Homebrew install programs outside the path. Undefined if PostgreSQL is not installed.
 *
 * @param further - other programs that have to be there
 */
export function findPostgresBinaries(...further: readonly string[]): string | undefined {
  const versioned = [
    '/usr/lib/postgresql/*/bin',
    '/usr/pgsql-*/bin',
    '/opt/homebrew/opt/postgresql@*/bin',
    '/usr/local/opt/postgresql@*/bin',
  ].flatMap((pattern) => globSync(pattern))
  versioned.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return [...programPath, ...versioned].find((folder) =>
    ['initdb', 'postgres', ...further].every((program) => isExecutable(join(folder, program))),
  )
}

/** Whether a program is on the path, or at its own. */
export const isProgram = (name: string): boolean =>
  name.startsWith('/') ? isExecutable(name) : programPath.some((folder) => isExecutable(join(folder, name)))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
