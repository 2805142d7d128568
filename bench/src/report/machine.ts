import { arch, cpus, platform, release, totalmem } from 'node:os'

/** The machine of a run, as far as figures depend on it. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || 'unknown CPU'
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processors.length} × ${model}, ${memory} GiB, ${platform()} ${release()} (${arch()}), Node.js ${process.versions.node}`
}
