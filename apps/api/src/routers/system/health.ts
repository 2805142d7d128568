import { endpoints } from '@lanyard/contracts'
import { implement } from '../../pipeline/implement.ts'
import { withTimeout } from '../../platform/timeouts/with-timeout.ts'
import { version } from '../../platform/version.ts'

/** Milliseconds. The networks' checks have their own time-outs. */
const databaseTimeout = 2_000

type CheckStatus = 'up' | 'down'

function overall(
  database: CheckStatus,
  networks: readonly { status: CheckStatus; rateLimit?: number }[],
): 'ok' | 'degraded' | 'down' {
  const up = networks.filter(({ status }) => status === 'up').length
  if (database === 'down' || up === 0) return 'down'
  const isLimited = networks.some(({ rateLimit }) => rateLimit !== undefined)
  return up < networks.length || isLimited ? 'degraded' : 'ok'
}

export const health = implement(endpoints.system.health, async (_input, { services, log }) => {
  const pingDatabase = withTimeout(
    databaseTimeout,
    services.sharedReads.database('ping', () => services.pingDatabase()),
  ).then(
    (): CheckStatus => 'up',
    (error: unknown): CheckStatus => {
      log.warn({ err: error }, 'the database does not answer')
      return 'down'
    },
  )
  const checkNetworks = services.networks.list().map(async (network) => {
    const { status, block } = await services.sharedReads.health(String(network.chainId), () =>
      network.health(),
    )
    return {
      network: network.chainId,
      status,
      block: block === null ? null : block.toString(),
      ...(network.circuit === 'open' && { circuit: network.circuit }),
      ...(network.rateLimit > 0 && { rateLimit: Math.ceil(network.rateLimit / 1_000) }),
    }
  })
  const [database, networks] = await Promise.all([pingDatabase, Promise.all(checkNetworks)])
  const status = services.closing.aborted ? ('draining' as const) : overall(database, networks)
  return { status, version, checks: { database, networks } }
})
