import { setTimeout as delay } from 'node:timers/promises'
import { startDevnet } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'
import { type IdleCost, measureIdle } from './measure-idle.ts'

const defaultMinutes = 1

/** Milliseconds until work related to the start has ended. */
const settling = 15_000

/** The cost of a service that nobody uses. */
export const idleBench: Bench = {
  name: 'idle',
  async run(progress, { minutes = defaultMinutes } = {}) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL: initdb and postgres.')
    await using devnet = await startDevnet()
    const cost = await measureIdle(devnet.networks, postgres, {
      milliseconds: minutes * 60_000,
      async settle() {
        progress(`settling; then idle for ${minutes} minutes`)
        await delay(settling)
      },
    })
    return {
      title: 'Idle',
      method: `The service with all roles in its own process, PostgreSQL with fsync, and three local networks with blocks of 1 s and a smart balance, each behind a proxy that counts requests. The service gets no requests for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Processor time includes the processes that it has started. Statements are those that PostgreSQL logs in the following minute, including \`begin\` and \`commit\`.`,
      versions: versionsOf('@lanyard/devnet'),
      comparisons: comparisonsOf(cost),
    }
  },
}

function comparisonsOf({ service, database, networks, statements }: IdleCost): Comparison[] {
  const busiest = networks.reduce((most, one) => (one.perBlock > most.perBlock ? one : most))
  return [
    {
      what: 'Processor time, service and PostgreSQL',
      unit: '% of a core',
      ours: service + database,
      goal: { of: 'ours', bound: 'at most', value: 2 },
    },
    { what: 'Processor time, service', unit: '% of a core', ours: service },
    { what: 'Processor time, PostgreSQL', unit: '% of a core', ours: database },
    {
      what: 'RPC requests per new block, the busiest network',
      unit: 'requests',
      ours: busiest.perBlock,
      goal: { of: 'ours', bound: 'at most', value: 1 },
    },
    { what: 'RPC requests a minute, the busiest network', unit: 'requests', ours: busiest.perMinute },
    { what: 'SQL statements a second', unit: 'statements', ours: statements },
  ]
}
