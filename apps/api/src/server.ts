import { join } from 'node:path'
import { migrate, type OpenDatabase, openDatabase } from '@lanyard/database'
import type { NetworkConfig } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { Env } from './env.ts'
import { createApp } from './http/app.ts'
import { createLog } from './log.ts'
import type { Services } from './services.ts'
import { Closers } from './start/closers.ts'
import { createServices } from './start/create-services.ts'
import { createHttpServer } from './start/http-server.ts'
import { startJobs } from './start/jobs.ts'
import { listen } from './start/listen.ts'
import { localNetworkConfigs, readNetworksFile, startLocalNetworks } from './start/network-configs.ts'
import { relayersFor } from './start/relayers.ts'
import { startReconcileWorker } from './worker/reconcile-worker.ts'

/** What a test brings along instead of what the environment asks for. */
export interface ServiceOverrides {
  readonly log?: Logger
  readonly now?: () => Date
  readonly networks?: readonly NetworkConfig[]
  /** Open and migrated; it stays open when the service closes. */
  readonly database?: OpenDatabase
  /** Something that the service cannot work without has ended. Default: only a line in the log. */
  readonly onFatal?: (message: string) => void
}

/** A running service. */
export interface Service extends AsyncDisposable {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  readonly port: number
  readonly services: Services
  /**
   * Ends everything that was started: takes no new requests, answers those that wait for inclusion, and gives the
   * others a bound. May be called again.
   */
  close(): Promise<void>
}

/** Milliseconds that requests under way get when the service closes. */
const requestBound = 2_500

/**
 * Starts the service as the environment says: listens, starts the local networks unless a file names others, opens
 * and migrates the database, and takes up what an earlier process left unfinished.
 *
 * @throws ConfigurationError, DevnetError, LanyardError DATABASE_UNAVAILABLE
 */
export async function startService(env: Env, overrides: ServiceOverrides = {}): Promise<Service> {
  const {
    log = createLog(env),
    now = () => new Date(),
    onFatal = (message) => log.fatal(message),
  } = overrides
  const closers = new Closers()
  try {
    const http = createHttpServer()
    const port = await listen(http.server, env)
    closers.add('HTTP', () => http.close(requestBound))

    const configured = overrides.networks ?? (await readConfiguredNetworks(env))
    for (const config of configured ?? []) relayersFor(config, env)
    // The local networks and the database know nothing of each other.
    const [networkConfigs, database] = await bothOrNone(
      configured ?? startNetworks(env, closers, onFatal),
      overrides.database ?? prepareDatabase(env, closers, log),
    )
    const services = await createServices({ env, log, now, database, networkConfigs, port })
    const jobs = await startJobs(database.jobs, log)
    closers.add('the job queue', () => jobs.stop({ graceful: true, timeout: 1_000 }))
    await startReconcileWorker(jobs, services.operations)

    http.serve(createApp(services))
    // Begun last, closed first: requests that wait for inclusion are answered, so that HTTP can close.
    const close = async () => {
      const httpClosed = http.close(requestBound)
      await services.operations.watcher.close()
      await httpClosed
      await closers.close(log)
    }
    return { url: addressOf(env.HOST, port), port, services, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await closers.close(log)
    throw error
  }
}

/** The networks of NETWORKS_FILE, if there is one. */
async function readConfiguredNetworks({ NETWORKS_FILE }: Env): Promise<readonly NetworkConfig[] | undefined> {
  return NETWORKS_FILE === undefined ? undefined : readNetworksFile(NETWORKS_FILE)
}

/** As Promise.all, but fails only when neither is under way any more: what has started by then can be closed. */
async function bothOrNone<A, B>(first: A | Promise<A>, second: B | Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

async function startNetworks(
  env: Env,
  closers: Closers,
  onFatal: (message: string) => void,
): Promise<readonly NetworkConfig[]> {
  const devnet = await startLocalNetworks(env, ({ chainId }) =>
    onFatal(`The local network ${chainId} has ended, and the service cannot go on without it.`),
  )
  closers.add('the local networks', () => devnet.stop())
  return localNetworkConfigs(devnet)
}

async function prepareDatabase(env: Env, closers: Closers, log: Logger): Promise<OpenDatabase> {
  const database = await openDatabase({
    log,
    url: env.DATABASE_URL,
    dataDir: env.DATA_DIR === undefined ? undefined : join(env.DATA_DIR, 'database'),
  })
  closers.add('the database', () => database.close())
  const applied = await migrate(database.db)
  if (applied.length > 0) log.info({ migrations: applied }, 'the database is up to date')
  return database
}

const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
