import { readFileSync } from 'node:fs'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { Comparison } from '../report/result.ts'
import { percentile } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { type Attack, attacks } from './attacks.ts'
import { type Fixture, startFixture, victimCount } from './fixture.ts'
import { type MeasuredVictims, measureVictims, sliceLength } from './measure-victims.ts'

const slices = 3

/** Slices of the attack during which memory and disk are observed. */
const defaultMinutes = 1

/** What one attacker within all limits costs everyone else. */
export const victimsBench: Bench = {
  name: 'victims',
  async run(progress, { minutes = defaultMinutes } = {}) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL: initdb and postgres.')
    const comparisons: Comparison[] = []
    for (const replicas of [1, 2]) {
      await using fixture = await startFixture(postgres, replicas)
      for (const attack of attacks) {
        if (attack.isBehindNginx && fixture.nginxUrl === undefined) continue
        const measured = await measureVictims(fixture, attack, { slices, progress })
        comparisons.push(...compare(attack, replicas, measured))
      }
      if (replicas === 1) comparisons.push(...(await measureGrowth(fixture, minutes, progress)))
    }
    return {
      title: 'Victims of an attacker within all limits',
      method: `The service in production mode with its default limits, on PostgreSQL with fsync, in one and two processes, behind a proxy that names the callers. ${victimCount} visitors with a publishable key, each from its own network, build once a second each, in alternating slices of ${sliceLength / 1_000} s with and without an attack; a build counts from the moment it is due. The attacker has the same key and, unless stated otherwise, one address. It keeps 32 requests open, tries again a quarter of a second after a 429, and has full allowances at the start of each slice. Attacks through nginx use the shipped configuration, and the victims arrive through it, too. Services, database, node, victims and attacker share the two processors. Growth: heap after a forced collection, memory and database size of the first process, after a third of ${minutes} min of the first attack, and at its end.`,
      versions: versionsOf('viem'),
      comparisons,
    }
  },
}

const processes = (replicas: number) => (replicas === 1 ? 'one process' : `${replicas} processes`)

function compare(
  { name }: Attack,
  replicas: number,
  { quiet, attacked, spent }: MeasuredVictims,
): Comparison[] {
  const where = `under ${name}, ${processes(replicas)}`
  const served = attacked.statuses['200'] ?? 0
  const all = Object.values(attacked.statuses).reduce((sum, count) => sum + count, 0)
  return [
    {
      what: `Victims served, ${where}`,
      unit: '%',
      ours: (100 * served) / all,
      goal: { of: 'ours', bound: 'at least', value: 100 },
      whenMissed: `the other answers are ${JSON.stringify(attacked.statuses)}`,
    },
    {
      what: `Victims' builds, p50, ${where}`,
      unit: 'ms',
      ours: percentile(attacked.times, 50),
      peer: percentile(quiet.times, 50),
      peerName: 'quiet',
    },
    {
      what: `Victims' builds, p99, ${where}`,
      unit: 'ms',
      ours: percentile(attacked.times, 99),
      peer: percentile(quiet.times, 99),
      peerName: 'quiet',
      goal: { of: 'ratio', bound: 'at most', value: 2 },
      whenMissed: `the attack took ${describe(spent)} of processor time a second, on processors that all parts share`,
    },
  ]
}

const describe = ({ service, database, node }: MeasuredVictims['spent']) =>
  `${service.toFixed(0)} ms of the service's, ${database.toFixed(0)} ms of the database's and ${node.toFixed(0)} ms of the node's`

interface Size {
  /** MiB each. */
  readonly heap: number
  readonly memory: number
  readonly database: number
}

async function sizeOf(fixture: Fixture): Promise<Size> {
  const heap = await fixture.heap()
  const status = readFileSync(`/proc/${fixture.replicas[0]?.pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
  return { heap, memory: kilobytes / 1024, database: await fixture.databaseSize() }
}

async function measureGrowth(
  fixture: Fixture,
  minutes: number,
  progress: (line: string) => void,
): Promise<Comparison[]> {
  const [attack] = attacks
  if (!attack) return []
  const count = Math.ceil((minutes * 60_000) / (2 * sliceLength) / 3)
  const attackFor = (more: number) => measureVictims(fixture, attack, { slices: more, progress })
  await attackFor(count)
  const early = await sizeOf(fixture)
  await attackFor(2 * count)
  const late = await sizeOf(fixture)
  const line = (what: string, part: keyof Size): Comparison => ({
    what: `${what}, after ${minutes} min of ${attack.name}`,
    unit: 'MiB',
    ours: late[part],
    peer: early[part],
    peerName: 'after a third of it',
  })
  return [
    { ...line('Heap after a collection', 'heap'), goal: { of: 'ratio', bound: 'at most', value: 1.1 } },
    line('Memory of the process', 'memory'),
    line('Database', 'database'),
  ]
}
