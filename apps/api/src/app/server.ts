import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  findLookAlikes,
  type OpenDatabase,
  openDatabase,
  openReadReplica,
  type ReadReplica,
  withoutReplica,
} from '@lanyard/database'
import type { NetworkConfig } from '@lanyard/networks'
import type { Logger } from 'pino'
import { openPolicies } from '../domain/gas-policies/live-policies.ts'
import { announcePolicies } from '../domain/gas-policies/policy-gauges.ts'
import { readPolicies, secretsOfPolicies } from '../domain/gas-policies/read-policies-file.ts'
import { createHttpServer } from '../http/http-server.ts'
import { addHealthGauge } from '../pipeline/health/read-health.ts'
import type { Services } from '../pipeline/services.ts'
import { type Brand, readBrand } from '../platform/brand/read-brand.ts'
import { publishCheckpoint } from '../platform/checkpoint.ts'
import { startDatabaseClock } from '../platform/database-clock.ts'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import { type Env, withNetworks } from '../platform/environment/env.ts'
import { sendsOperations } from '../platform/environment/sends-operations.ts'
import { serviceRoles } from '../platform/environment/variables.ts'
import { type Keys, openKeys } from '../platform/keys/keys.ts'
import { relayersFor, roleKeysFor, treasuryFor } from '../platform/keys/role-keys.ts'
import { createConnectionQueue } from '../platform/load/connection-queue.ts'
import { createLog } from '../platform/log/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts'
import { localNetworkConfigs, readNetworksFile, startLocalNetworks } from '../platform/network-configs.ts'
import { prepareSchema } from '../platform/prepare-schema.ts'
import { hideSecrets } from '../platform/secrets/hidden-secrets.ts'
import { secretsOfEnv, secretsOfNetwork } from '../platform/secrets/secrets-of.ts'
import { startTracing } from '../platform/tracing/tracing.ts'
import { createApp } from '../transport/app.ts'
import { announceProcess } from './announce-process.ts'
import { Closers } from './closers.ts'
import { createServices } from './create-services.ts'
import { listen } from './listen.ts'
import { listenForConsole, type RunningConsole } from './listen-for-console.ts'
import { serveMetrics } from './metrics-server.ts'
import { preflightAtStart } from './preflight-at-start.ts'
import { recordConfiguration } from './record-configuration.ts'
import { startAccountLogWorker } from './workers/account-log-worker.ts'
import { startAuditWorker } from './workers/audit-worker.ts'
import { startLedgerWorker } from './workers/ledger-worker.ts'
import { startOrderWorkers } from './workers/order-workers.ts'
import { startOwnershipWorker } from './workers/ownership-worker.ts'
import { createPasses, type PassPauses } from './workers/passes.ts'
import { startReconcileWorker } from './workers/reconcile-worker.ts'
import { startRefillWorker } from './workers/refill-worker.ts'
import { startSessionWarningWorker } from './workers/session-warning-worker.ts'
import { startWebhookWorker } from './workers/webhook-worker.ts'

/** Parts that a test supplies instead of those that the environment configures. */
export interface ServiceOverrides {
  readonly log?: Logger
  /** Default: the database's clock. */
  readonly now?: () => Date
  readonly networks?: readonly NetworkConfig[]
  /** Open and migrated; it stays open when the service closes. */
  readonly database?: OpenDatabase
  /** How often background work looks for something to do. */
  readonly pauses?: PassPauses
  /** Called when a required part has failed. Default: only a log line. */
  readonly onFatal?: (message: string) => void
}

/** A running service. */
export interface Service extends AsyncDisposable {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  readonly port: number
  readonly services: Services
  /** With the role `admin`. */
  readonly console?: RunningConsole
  /**
   * Ends everything that was started. During SHUTDOWN_DELAY it keeps answering while its health check reports
   * the shutdown. Then it accepts no new requests, gives running ones a short time, and answers those that
   * still wait for inclusion. May be called again.
   */
  close(): Promise<void>
  /** What is not closed, in the order of closing: {@link openRequests} first, if some are not answered. */
  unclosed(): readonly string[]
}

/** The part of a service that callers notice when it is cut off. */
export const openRequests = 'requests'

/** The port of the service without PORT. */
export const usualPort = 3000

/** The clock until the database is available. */
const machineClock = () => new Date()

/** Milliseconds that running requests get at shutdown before those that wait for inclusion are answered. */
const graceTimeout = 1_500

/** Milliseconds that the remaining requests then get before their connections are closed. */
const responseTimeout = 1_500

/**
 * Starts the service as the environment configures it: listens, starts the local networks unless a file names
 * others, opens and migrates the database, and continues the unfinished work of an earlier process.
 *
 * @throws ConfigurationError, DevnetError, LanyardError DATABASE_UNAVAILABLE
 */
export async function startService(given: Env, overrides: ServiceOverrides = {}): Promise<Service> {
  const { log = createLog(given), onFatal = (message) => log.fatal(message) } = overrides
  const closers = new Closers()
  const closing = new AbortController()
  hideSecrets(secretsOfEnv(given))
  try {
    const tracing = await startTracing(given.OTEL_EXPORTER_OTLP_ENDPOINT)
    closers.add('tracing', () => tracing.close())
    const http = createHttpServer()
    // Without the role `api` there is no socket; the port is then only part of the service's own origin.
    const port = given.ROLES.includes('api')
      ? await listen(http.server, { variable: 'PORT', port: given.PORT, usual: usualPort, host: given.HOST })
      : (given.PORT ?? 0)
    closers.add('HTTP', () => http.close(responseTimeout))
    const listeningConsole = given.ROLES.includes('admin')
      ? await listenForConsole(given, closers)
      : undefined

    assertSharedWhereDivided(given, overrides)
    const brand = await readBrand(given.BRAND_FILE)
    const configured = overrides.networks ?? (await readConfiguredNetworks(given))
    const env = withOwnName(withNetworks(given, configured ?? []), brand)
    const metrics = createMetrics(log)
    const keys = await openKeys(env, metrics)
    for (const config of configured ?? []) {
      hideSecrets(secretsOfNetwork(config))
      assertKeys(config, env, keys)
    }
    const opening = overrides.database ?? prepareDatabase(env, closers, { log, onFatal })
    const [networkConfigs, database] = await bothOrNone(
      configured
        ? lookedAt(configured, { env, keys, log, now: overrides.now ?? machineClock }, overrides)
        : startNetworks(env, closers, { onFatal, opening }),
      opening,
    )
    const declared = await readPolicies(env.POLICIES_FILE, networkConfigs)
    hideSecrets(secretsOfPolicies(declared))
    // A database in memory has no earlier start to compare with.
    if (env.DATABASE_URL !== undefined || env.DATA_DIR !== undefined)
      await recordConfiguration(env, database.db)
    const now = overrides.now ?? (await startClock(database, closers, log))
    const policies = await openPolicies(declared, {
      ...{ database: database.db, networks: networkConfigs, log },
      onEdit: (next) => announcePolicies(metrics, next),
    })
    const reads = openReads(env, database, { log, metrics })
    closers.add('the read replica', () => reads.close())
    // A single process makes the edits itself.
    if (env.DATABASE_URL !== undefined) {
      const refreshing = policies.start()
      closers.add('the gas policies', () => refreshing.close())
    }
    const services = await createServices({
      env,
      keys,
      metrics,
      log,
      now,
      database,
      networkConfigs,
      policies,
      reads,
      brand,
      port,
      tracing,
      closing: closing.signal,
    })
    addHealthGauge(metrics, services, log)
    if (env.DATABASE_URL !== undefined) {
      const announced = await announceProcess(services)
      closers.add('the row of this process', () => announced.close())
    }
    const passes = createPasses({ ...services, pauses: overrides.pauses })
    closers.add('background work', () => passes.close())
    const metricsServer = await serveMetrics(env, services)
    closers.add('the metrics', () => metricsServer.close())
    if (env.ROLES.includes('worker')) {
      await startReconcileWorker(passes, services.operations, services)
      await startWebhookWorker(passes, services)
      await startAuditWorker(passes, services)
      await startAccountLogWorker(passes, services)
      await startLedgerWorker(passes, services)
      await startOwnershipWorker(passes, services)
      await startSessionWarningWorker(passes, services)
    }
    await startOrderWorkers(passes, services)
    await startRefillWorker(passes, services)

    await publishCheckpoint('ready')
    http.serve(createApp(services))
    const operatorConsole = await listeningConsole?.serve(services, database.pool)
    const { watcher } = services.operations
    closers.add('the inclusion watcher', () => watcher.close())
    // Started last, closed first: requests that wait for inclusion are answered, so that HTTP can close.
    closers.add(openRequests, async () => {
      closing.abort()
      http.drain()
      if (http.server.listening) await delay(env.SHUTDOWN_DELAY * 1000)
      const httpClosed = http.close(graceTimeout + responseTimeout)
      await Promise.race([httpClosed, delay(graceTimeout, undefined, { ref: false })])
      void watcher.close()
      await httpClosed
    })
    const close = () => closers.close(log)
    return {
      url: addressOf(env.HOST, port),
      ...{ port, services, close, [Symbol.asyncDispose]: close, unclosed: () => closers.remaining() },
      ...(operatorConsole && { console: operatorConsole }),
    }
  } catch (error) {
    await closers.close(log)
    throw error
  }
}

/** Lists are read from DATABASE_READ_URL, if it is set. */
const openReads = (
  env: Env,
  { db }: OpenDatabase,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): ReadReplica =>
  env.DATABASE_READ_URL === undefined
    ? withoutReplica(db)
    : openReadReplica({
        ...{ primary: db, url: env.DATABASE_READ_URL, log, namedStatements: namesStatements(env) },
        createQueue: createConnectionQueue,
        observe: (outcome) => metrics.countReplicaRead({ outcome }),
      })

/** Undefined: unless a pooler answers. */
const namesStatements = ({ DATABASE_STATEMENTS: choice }: Env) =>
  choice === undefined ? undefined : choice === 'named'

/** Nobody may take the name of the wallet. */
const withOwnName = (env: Env, { shown }: Brand): Env => ({
  ...env,
  RESERVED_USERNAMES: [...env.RESERVED_USERNAMES, shown.name.replace(/[^\p{L}\p{N}]+/gu, '')],
})

/** Reports missing keys before anything is started. */
function assertKeys(config: NetworkConfig, env: Env, keys: Keys): void {
  if (sendsOperations(env)) relayersFor(config, keys)
  roleKeysFor(config, env, keys)
  treasuryFor(config, env, keys)
}

/** The configured networks, after the checks at start. Networks of a test are used unchanged. */
async function lookedAt(
  configs: readonly NetworkConfig[],
  surroundings: Omit<Parameters<typeof preflightAtStart>[0], 'configs'>,
  overrides: ServiceOverrides,
): Promise<readonly NetworkConfig[]> {
  if (!overrides.networks) await preflightAtStart({ configs, ...surroundings })
  return configs
}

/** The networks of NETWORKS_FILE, if it is set. */
async function readConfiguredNetworks({ NETWORKS_FILE }: Env): Promise<readonly NetworkConfig[] | undefined> {
  return NETWORKS_FILE === undefined ? undefined : readNetworksFile(NETWORKS_FILE)
}

/**
 * Like Promise.all, but rejects only after both have settled, so that whatever has started by then can be
 * closed.
 */
async function bothOrNone<A, B>(first: A | Promise<A>, second: B | Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

/** The chains' files are next to the database's directory, and only its owner may read them. */
async function startNetworks(
  env: Env,
  closers: Closers,
  {
    onFatal,
    opening,
  }: {
    readonly onFatal: (message: string) => void
    readonly opening: OpenDatabase | Promise<OpenDatabase>
  },
): Promise<readonly NetworkConfig[]> {
  if (env.DATA_DIR !== undefined) await opening
  const devnet = await startLocalNetworks(env, ({ chainId }) =>
    onFatal(`The local network ${chainId} has ended, and the service cannot continue without it.`),
  )
  closers.add('the local networks', () => devnet.stop())
  return localNetworkConfigs(devnet)
}

async function startClock(database: OpenDatabase, closers: Closers, log: Logger): Promise<() => Date> {
  const clock = await startDatabaseClock(database, log)
  closers.add("the database's clock", () => clock.close())
  return clock.now
}

/** Connections that a role needs while it is busy. An installation of nine processes stays below 40. */
const connectionsOf: Readonly<Partial<Record<Env['ROLES'][number], number>>> = { api: 8, worker: 5 }
const [usualConnections, maxConnections] = [3, 10]

const connectionsFor = (roles: Env['ROLES']): number =>
  Math.min(
    maxConnections,
    roles.reduce((sum, role) => sum + (connectionsOf[role] ?? usualConnections), 0),
  )

async function prepareDatabase(
  env: Env,
  closers: Closers,
  { log, onFatal }: { readonly log: Logger; readonly onFatal: (message: string) => void },
): Promise<OpenDatabase> {
  const database = await openDatabase({
    log,
    onDeath: ({ message }) =>
      onFatal(
        `The database has failed, and the service cannot continue without it: ${message}. Start the service again when there is space. Nothing that it answered is lost.`,
      ),
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_CONNECTIONS ?? connectionsFor(env.ROLES),
    namedStatements: namesStatements(env),
    createQueue: createConnectionQueue,
    migrated: env.MIGRATE_ON_START,
    dataDir: env.DATA_DIR === undefined ? undefined : join(env.DATA_DIR, 'database'),
  })
  closers.add('the database', () => database.close())
  const applied = await prepareSchema(database.db, env)
  if (applied.length > 0) log.info({ migrations: applied }, 'the database is up to date')
  const lookAlikes = await findLookAlikes(database.db)
  if (lookAlikes.length > 0)
    log.warn(
      { lookAlikes: lookAlikes.length },
      'usernames look like older ones: `lanyard migrate` lists them',
    )
  return database
}

/**
 * PGlite serves one process, and local networks end with the process that started them: the work of other
 * processes would never be done.
 */
function assertSharedWhereDivided(
  { ROLES, DATABASE_URL, NETWORKS_FILE }: Env,
  overrides: ServiceOverrides,
): void {
  if (serviceRoles.every((role) => ROLES.includes(role))) return
  const shares = 'ROLES: a process with only some of the roles shares its'
  const problems = [
    ...(DATABASE_URL === undefined && !overrides.database
      ? [`${shares} database with others, so DATABASE_URL is needed`]
      : []),
    ...(NETWORKS_FILE === undefined && !overrides.networks
      ? [`${shares} networks with others, so NETWORKS_FILE is needed`]
      : []),
  ]
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
}

const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
