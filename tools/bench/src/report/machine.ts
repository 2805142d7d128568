import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

/** Describes the machine of a run, as far as it affects figures, and its load. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || 'unknown CPU'
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${processors.length} × ${model}, ${memory} GiB, ${platform()} (${arch()}), Node.js ${process.versions.node}, load average at the start ${load}`
}
