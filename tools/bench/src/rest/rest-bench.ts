import { fileURLToPath } from 'node:url'
import { startNode } from '@lanyard/devnet'
import autocannon from 'autocannon'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { startProgram } from '../programs/start-program.ts'
import type { Comparison } from '../report/result.ts'
import { median } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { path } from './username-lookup.ts'

const rounds = 3
const seconds = 2
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
      method: `GET /api/user/check-username by ${connections} connections of autocannon on the same machine, in alternating rounds of ${seconds} s. Each server is one process that runs the same query after the same Zod parse. PGlite runs in that process; all servers share one PostgreSQL. Rate limits are off.`,
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
  const servers = { ours: service.url, express: express.url, openApi: openApi.url }

  const rates: Record<keyof typeof servers, number[]> = { ours: [], express: [], openApi: [] }
  for (const url of Object.values(servers)) await load(url, 1) // warm-up
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds} on ${engine}`)
    rates.ours.push(await load(servers.ours, seconds))
    rates.express.push(await load(servers.express, seconds))
    rates.openApi.push(await load(servers.openApi, seconds))
  }
  const unit = 'requests/s'
  const ours = median(rates.ours)
  return [
    {
      what: `Against a bare Express handler, on ${engine}`,
      unit,
      ours,
      peer: median(rates.express),
      peerName: 'Express',
      goal: { of: 'ratio', bound: 'at least', value: 0.85 },
      whenMissed:
        'unlike the bare handler, the service assigns a request id, sets security headers, checks credentials and access, counts requests and validates its answer. Garbage collection also costs more in a larger process.',
    },
    {
      what: `Against trpc-to-openapi, on ${engine}`,
      unit,
      ours,
      peer: median(rates.openApi),
      peerName: 'trpc-to-openapi',
      goal: { of: 'ratio', bound: 'at least', value: 1 },
      whenMissed:
        'the service does for each request what the line above lists, and is a larger process; the adapter alone does not.',
    },
  ]
}

function startPeer(file: string, databaseUrl: string | undefined) {
  return startProgram(fileURLToPath(new URL(file, import.meta.url)), {
    parameters: databaseUrl ? [databaseUrl] : [],
    ready: /ready: (http\S+)/,
  })
}

/** Requests per second. Every response must be 200. */
async function load(url: string, duration: number): Promise<number> {
  const result = await autocannon({ url: `${url}${path}?username=nobody`, connections, duration })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.total / result.duration
}
