import { setTimeout as delay } from 'node:timers/promises'
import type { DevnetNetwork } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Postgres } from '../programs/postgres.ts'
import { processorTimeOf } from '../programs/process-tree.ts'
import { startProcess } from '../programs/service.ts'
import { createStatementLog, logStatements } from '../scaling/statement-log.ts'
import { createChain } from '../wallets/chain.ts'

/**
 * Milliseconds in which statements are counted. Logging them takes processor time, so this runs after the
 * other measurements.
 */
const counting = 60_000

export interface IdleCost {
  /** Processor time, in percent of one core. */
  readonly service: number
  readonly database: number
  /** RPC requests of each network. */
  readonly networks: readonly { readonly perBlock: number; readonly perMinute: number }[]
  /** SQL statements per second. */
  readonly statements: number
}

/** Starts a process with all roles and observes it while nobody uses it. */
export async function measureIdle(
  networks: readonly DevnetNetwork[],
  postgres: Postgres,
  { milliseconds, settle }: { readonly milliseconds: number; readonly settle: () => Promise<void> },
): Promise<IdleCost> {
  await using started = new AsyncDisposableStack()
  const watched: {
    chain: ReturnType<typeof createChain>
    proxy: Awaited<ReturnType<typeof startRpcProxy>>
  }[] = []
  for (const { rpcUrl } of networks) {
    watched.push({ chain: createChain(rpcUrl), proxy: started.use(await startRpcProxy(rpcUrl)) })
  }
  const behindProxies = networks.map((network, index) => ({
    ...network,
    rpcUrl: watched[index]?.proxy.url ?? network.rpcUrl,
  }))
  const url = await postgres.fresh()
  const service = started.use(await startProcess(behindProxies, { databaseUrl: url }))
  await settle()

  const heads = () => Promise.all(watched.map(({ chain }) => chain.getBlockNumber()))
  const processorTimes = () => ({
    service: processorTimeOf(service.pid),
    database: processorTimeOf(postgres.pid),
  })
  const headsBefore = await heads()
  for (const { proxy } of watched) proxy.take()
  const before = processorTimes()
  const began = performance.now()
  await delay(milliseconds)
  const after = processorTimes()
  const elapsed = performance.now() - began
  const headsAfter = await heads()
  const requests = watched.map(({ proxy }) => proxy.take().requests)
  return {
    service: (100 * (after.service - before.service)) / elapsed,
    database: (100 * (after.database - before.database)) / elapsed,
    networks: requests.map((count, index) => ({
      perBlock: count / Number((headsAfter[index] ?? 0n) - (headsBefore[index] ?? 0n)),
      perMinute: (count * 60_000) / elapsed,
    })),
    statements: await countStatements(url),
  }
}

/** The number of statements that the server receives per second. */
async function countStatements(url: string): Promise<number> {
  await logStatements(url)
  await delay(1_000) // a connection applies the setting at its next statement
  const take = createStatementLog(url)
  await take()
  await delay(counting)
  return ((await take()).length * 1000) / counting
}
