import { fileURLToPath } from 'node:url'
import { startNode } from '@lanyard/devnet'
import autocannon from 'autocannon'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { processorTimeOf } from '../programs/process-tree.ts'
import { startService } from '../programs/service.ts'
import { type Program, startProgram } from '../programs/start-program.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { medians, takeTurns } from '../report/statistics.ts'
import { path } from './username-lookup.ts'

const rounds = 9
const seconds = 2

/** Until then V8 still compiles, and the larger program needs more of it. */
const warmUp = 5

const connections = 10

/** GET /api/user/check-username through our REST adapter, and through common alternatives. */
export const restBench: Bench = {
  name: 'rest',
  async run(progress) {
    const comparisons = await compare('PGlite', undefined, progress)
    await using postgres = await startPostgres()
    if (postgres) comparisons.push(...(await compare('PostgreSQL', await postgres.fresh(), progress)))
    return {
      title: 'REST adapter',
      method: `GET /api/user/check-username by ${connections} connections of autocannon on the same machine, in ${rounds} alternating rounds of ${seconds} s after ${warmUp} s of warm-up each; medians. Processor time is that of the whole process. Each server is one process that runs the same query after the same Zod parse. PGlite runs in that process; all servers share one PostgreSQL. Rate limits are off.`,
      versions: versionsOf('express', 'trpc-to-openapi', '@trpc/server', 'autocannon'),
      comparisons,
    }
  },
}

async function compare(
  engine: string,
  databaseUrl: string | undefined,
  progress: (line: string) => void,
): Promise<Comparison[]> {
  progress(`starting the servers on ${engine}`)
  await using node = await startNode()
  await using service = await startService(node, databaseUrl)
  await using express = await startPeer('bare-express.ts', databaseUrl)
  await using openApi = await startPeer('trpc-to-openapi.ts', databaseUrl)
  for (const server of [service, express, openApi]) await load(server, warmUp)
  const loads = await takeTurns(
    {
      ours(round) {
        progress(`round ${round + 1} of ${rounds} on ${engine}`)
        return load(service, seconds)
      },
      express: () => load(express, seconds),
      openApi: () => load(openApi, seconds),
    },
    { rounds, rotates: true },
  )
  const [ours, bare, adapter] = [medians(loads.ours), medians(loads.express), medians(loads.openApi)]
  const unit = 'requests/s'
  return [
    {
      what: `Against a bare Express handler, on ${engine}`,
      unit,
      ours: ours.rate,
      peer: bare.rate,
      peerName: 'Express',
      goal: { of: 'ratio', bound: 'at least', value: 0.85 },
      whenMissed:
        'unlike the bare handler, the service assigns a request id, sets security headers, checks credentials and access, counts requests and validates its answer. Garbage collection also costs more in a larger process.',
    },
    {
      what: `Against trpc-to-openapi, on ${engine}`,
      unit,
      ours: ours.rate,
      peer: adapter.rate,
      peerName: 'trpc-to-openapi',
      goal: { of: 'ratio', bound: 'at least', value: 1 },
      whenMissed:
        'the service does for each request what the line above lists, and is a larger process; the adapter alone does not.',
    },
    {
      what: `Processor time of a request, on ${engine}`,
      unit: 'ms',
      ours: ours.processor,
      peer: bare.processor,
      peerName: 'Express',
    },
  ]
}

function startPeer(file: string, databaseUrl: string | undefined) {
  return startProgram(fileURLToPath(new URL(file, import.meta.url)), {
    parameters: databaseUrl ? [databaseUrl] : [],
    ready: /ready: (http\S+)/,
  })
}

type Load = {
  /** Requests per second. */
  readonly rate: number
  /** Milliseconds of a request. Other work on the machine lowers the rate, and hardly changes this. */
  readonly processor: number
}

/** Every response must be 200. */
async function load({ url, pid }: Pick<Program, 'url' | 'pid'>, duration: number): Promise<Load> {
  const before = processorTimeOf(pid)
  const result = await autocannon({ url: `${url}${path}?username=nobody`, connections, duration })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  const { total } = result.requests
  return { rate: total / result.duration, processor: (processorTimeOf(pid) - before) / total }
}
