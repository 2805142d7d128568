import type { ProcessRow } from '@lanyard/database'

/** Milliseconds without a sign of life: four of them. */
const silence = 60_000

export interface DeadProcess {
  readonly roles: readonly string[]
  readonly host: string
  /** ISO time. */
  readonly seenAt: string
  /** Its roles that no living process has. */
  readonly missing: readonly string[]
}

/** The processes that ended without stopping, and that none of the same roles has replaced since. */
export function findDead(processes: readonly ProcessRow[], now: Date): readonly DeadProcess[] {
  const isAlive = ({ seen_at }: ProcessRow) => now.getTime() - seen_at.getTime() < silence
  const alive = processes.filter(isAlive)
  const held = new Set(alive.flatMap(({ roles }) => roles.split(',')))
  // Each living process stands for one that died before it started.
  const unused = new Set(alive)
  const dead = processes
    .filter((one) => !isAlive(one))
    .toSorted((a, b) => a.seen_at.getTime() - b.seen_at.getTime())
  const left = dead.filter((one) => {
    const successor = [...unused].find(
      (other) => other.roles === one.roles && other.started_at.getTime() > one.seen_at.getTime(),
    )
    return !(successor && unused.delete(successor))
  })
  return left.map(({ roles, host, seen_at }) => ({
    ...{ roles: roles.split(','), host, seenAt: seen_at.toISOString() },
    missing: roles.split(',').filter((role) => !held.has(role)),
  }))
}
