import { existsSync, readFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Describes the machine of a run, as far as it affects figures, and its load. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || 'unknown CPU'
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${processors.length} × ${model}, ${memory} GiB, ${platform()} (${arch()}), Node.js ${process.versions.node}, load average at the start ${load}`
}

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
