import { fileURLToPath } from 'node:url'
import { startNode } from '@lanyard/devnet'
import autocannon from 'autocannon'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { processorTimeOf } from '../programs/process-tree.ts'
import { startService } from '../programs/service.ts'
import { type Program, startProgram } from '../programs/start-program.ts'
import type { Comparison } from '../report/result.ts'
import { median } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
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
  const servers = { ours: service, express, openApi }
  const names = ['ours', 'express', 'openApi'] as const

  const measured: Record<keyof typeof servers, Load[]> = { ours: [], express: [], openApi: [] }
  for (const server of Object.values(servers)) await load(server, warmUp)
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds} on ${engine}`)
    // Each of them is the first one as often as the others.
    const order = [...names.slice(round % 3), ...names.slice(0, round % 3)]
    for (const name of order) measured[name].push(await load(servers[name], seconds))
  }
  const unit = 'requests/s'
  const rate = (name: keyof typeof servers) => median(measured[name].map((one) => one.rate))
  const processor = (name: keyof typeof servers) => median(measured[name].map((one) => one.processor))
  const ours = rate('ours')
  return [
    {
      what: `Against a bare Express handler, on ${engine}`,
      unit,
      ours,
      peer: rate('express'),
      peerName: 'Express',
      goal: { of: 'ratio', bound: 'at least', value: 0.85 },
      whenMissed:
        'unlike the bare handler, the service assigns a request id, sets security headers, checks credentials and access, counts requests and validates its answer. Garbage collection also costs more in a larger process.',
    },
    {
      what: `Against trpc-to-openapi, on ${engine}`,
      unit,
      ours,
      peer: rate('openApi'),
      peerName: 'trpc-to-openapi',
      goal: { of: 'ratio', bound: 'at least', value: 1 },
      whenMissed:
        'the service does for each request what the line above lists, and is a larger process; the adapter alone does not.',
    },
    {
      what: `Processor time of a request, on ${engine}`,
      unit: 'ms',
      ours: processor('ours'),
      peer: processor('express'),
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

interface Load {
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
