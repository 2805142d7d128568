import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const names = [
  'buildah',
  'chromium',
  'chromium-browser',
  'chromium-headless-shell',
  'gnome-keyring-daemon',
  'google-chrome',
  'initdb',
  'nginx',
  'pgbouncer',
  'prometheus',
  'promtool',
  'psql',
  'secret-tool',
]

/** The programs of this machine without which suites are skipped. */
export function optionalPrograms(): readonly string[] {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean)
  const inPath = names.filter((name) => folders.some((folder) => existsSync(join(folder, name))))
  return [...inPath, ...globSync('/usr/lib/postgresql/*/bin/initdb')]
}
