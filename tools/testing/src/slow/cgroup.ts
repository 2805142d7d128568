import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface CpuGroup {
  /** A process that writes its id here, and all that it starts, is limited. */
  readonly membersFile: string
  /** After its processes have ended. */
  remove(): Promise<void>
}

/** Microseconds. Linux's default period. */
const period = 100_000

/**
 * A control group of Linux that may use so many processors. Undefined where the system has none, or this user may not
 * make one.
 *
 * @param processors 0.67: two thirds of one
 */
export function limitByCgroup(processors: number): CpuGroup | undefined {
  const quota = Math.round(processors * period)
  const name = `lanyard-slow-${process.pid}`
  return makeVersion2(name, quota) ?? makeVersion1(name, quota)
}

/** https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files */
function makeVersion2(name: string, quota: number): CpuGroup | undefined {
  const root = '/sys/fs/cgroup'
  if (!existsSync(join(root, 'cgroup.controllers'))) return undefined
  return make(join(root, name), () => {
    if (!readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').includes('cpu'))
      writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
    writeFileSync(join(root, name, 'cpu.max'), `${quota} ${period}`)
  })
}

/** https://docs.kernel.org/scheduler/sched-bwc.html */
function makeVersion1(name: string, quota: number): CpuGroup | undefined {
  const root = '/sys/fs/cgroup/cpu'
  if (!existsSync(join(root, 'cpu.cfs_quota_us'))) return undefined
  return make(join(root, name), () => {
    writeFileSync(join(root, name, 'cpu.cfs_period_us'), String(period))
    writeFileSync(join(root, name, 'cpu.cfs_quota_us'), String(quota))
  })
}

function make(folder: string, limit: () => void): CpuGroup | undefined {
  try {
    mkdirSync(folder)
    limit()
  } catch {
    if (existsSync(folder)) rmdirSync(folder)
    return undefined
  }
  return {
    membersFile: join(folder, 'cgroup.procs'),
    // A process may end a moment after its parent.
    async remove() {
      for (let attempt = 0; attempt < 50; attempt++) {
        try {
          return rmdirSync(folder)
        } catch {
          await sleep(100)
        }
      }
    },
  }
}
