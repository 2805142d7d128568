import { readProcesses, readSuspensions } from '@lanyard/database'
import { sql } from 'kysely'
import { readSpent } from '../../domain/gas-policies/gas-budgets.ts'
import { readExposure } from '../../domain/smart-balance/settlement/exposure.ts'
import { readHealth } from '../../pipeline/health/read-health.ts'
import type { Services } from '../../pipeline/services.ts'
import { type Facts, findConcerns, findWell } from './find-concerns.ts'
import { findDead } from './find-dead.ts'
import {
  type MinuteOfOperations,
  quantile,
  readInclusionTimes,
  readMinutes,
  shownMinutes,
} from './operation-series.ts'
import { readAlerts } from './read-alerts.ts'
import { readRelayers } from './read-relayers.ts'

/** Milliseconds for which all open pages share one reading. */
const shared = 2_000

/** The overview's readings, which all pages of this process share: ten operators cost as much as one. */
export interface Overview {
  readonly read: () => Promise<Awaited<ReturnType<typeof readOverview>>>
  readonly series: () => Promise<Awaited<ReturnType<typeof readSeries>>>
}

export function createOverview(services: Services): Overview {
  const past = new Map<number, MinuteOfOperations>()
  return {
    read: sharing(services, () => readOverview(services)),
    series: sharing(services, () => readSeries(services, past)),
  }
}

function sharing<T>({ now }: Services, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  let until = 0
  return () => {
    if (!reading || now().getTime() >= until) {
      reading = read()
      reading.catch(() => {
        reading = undefined
      })
      until = now().getTime() + shared
    }
    return reading
  }
}

async function readOverview(services: Services) {
  const { database, networks, project, log } = services
  const now = services.now()
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const allowing = project.policies.list.filter(({ effect }) => effect === 'allow').map(({ id }) => id)
  const [
    health,
    processes,
    relayers,
    waiting,
    orders,
    exposure,
    spent,
    suspensions,
    webhooks,
    losses,
    refills,
    alerts,
  ] = await Promise.all([
    readHealth(services, log),
    readProcesses(database),
    readRelayers(database, networks, now),
    database
      .selectFrom('operations')
      // As literals, so that the planner sees the index of what is open.
      .where('final', '=', sql.lit(false))
      .where('state', '<>', sql.lit('included'))
      .where('signed_at', 'is not', null)
      .where('state', 'in', ['submitting', 'submitted'])
      .select(['network', sql<number>`count(*)::int4`.as('count')])
      .select(sql<Date | null>`min(signed_at)`.as('oldestAt'))
      .groupBy('network')
      .execute(),
    database
      .selectFrom('orders')
      .where('closed_at', 'is', null)
      .select(['output_network as network', 'state', sql<number>`count(*)::int4`.as('count')])
      .groupBy(['output_network', 'state'])
      .execute(),
    readExposure(services),
    readSpent(database, allowing),
    readSuspensions(database, now),
    database
      .selectFrom('webhook_endpoints')
      .select(
        sql<number>`(count(*) filter (where disabled_at is null and failing_since is not null))::int4`.as(
          'failing',
        ),
      )
      .select(
        sql<number>`(count(*) filter (where disabled_at is null and failing_since is null))::int4`.as(
          'delivering',
        ),
      )
      .select(
        sql<number>`(count(*) filter (where disabled_reason in ('FAILING', 'GONE')))::int4`.as('disabled'),
      )
      .executeTakeFirst(),
    database
      .selectFrom('relayer_losses')
      .where('lost_at', '>', dayAgo)
      .select(['network', sql<string>`sum(wei)::text`.as('wei')])
      .groupBy('network')
      .execute(),
    database
      .selectFrom('relayer_refills')
      .where('created_at', '>', dayAgo)
      .select(['network', sql<string>`sum(amount)::text`.as('wei')])
      .groupBy('network')
      .execute(),
    readAlerts(services.env.CONSOLE_PROMETHEUS_URL),
  ])
  const dead = findDead(processes, now)
  const networkNames = new Map(networks.list().map(({ chainId, config }) => [chainId, config.name]))
  const symbols = new Map(
    networks.list().map(({ chainId, config }) => [chainId, config.nativeCurrency.symbol]),
  )
  const facts: Facts = {
    ...{ now, networkNames, health: health.checks, dead, relayers, waiting, exposure },
    failingWebhooks: webhooks?.failing ?? 0,
    deliveringWebhooks: webhooks?.delivering ?? 0,
    disabledWebhooks: webhooks?.disabled ?? 0,
    suspensions: suspensions.length,
    lostGas: losses.map(({ network, wei }) => ({
      ...{ network, wei: BigInt(wei), symbol: symbols.get(network) ?? 'coins' },
    })),
  }
  return {
    at: now.toISOString(),
    // The health of this process says nothing about those that are gone.
    status: health.status === 'ok' && dead.length > 0 ? ('degraded' as const) : health.status,
    database: health.checks.database,
    networks: health.checks.networks.map((network) => ({
      ...network,
      name: networkNames.get(network.network) ?? String(network.network),
      symbol: symbols.get(network.network) ?? '',
      waiting: waiting.find((one) => one.network === network.network)?.count ?? 0,
      oldestAt: waiting.find((one) => one.network === network.network)?.oldestAt?.toISOString() ?? null,
    })),
    relayers,
    orders,
    exposure: exposure.map(({ network, liquidity, reserved, lent, due }) => ({
      network,
      liquidity: liquidity === null ? null : String(liquidity),
      ...{ reserved: String(reserved), lent: String(lent), due: String(due) },
    })),
    lostGas: losses.map(({ network, wei }) => ({ network, wei })),
    refilled: refills.map(({ network, wei }) => ({ network, wei })),
    budgets: spent.map(({ policy, network, spent: wei, reserved, promised, operations }) => ({
      ...{ policy, network, operations },
      ...{ spent: String(wei), reserved: String(reserved), promised: String(promised) },
    })),
    alerts,
    concerns: findConcerns(facts),
    well: findWell(facts),
  }
}

/**
 * The last hour by minute. Minutes that are over are read once and kept: only the last two are read again.
 *
 * @param past - the minutes that were read before
 */
async function readSeries(
  { database, now }: Pick<Services, 'database' | 'now'>,
  past: Map<number, MinuteOfOperations>,
) {
  const current = Math.floor(now().getTime() / 60_000) * 60
  const first = current - (shownMinutes - 1) * 60
  const isComplete = past.has(current - 120)
  const since = isComplete ? current - 60 : first
  const [rows, times] = await Promise.all([
    readMinutes(database, new Date(since * 1000)),
    readInclusionTimes(database, new Date(first * 1000)),
  ])
  const found = new Map(rows.map((row) => [row.minute, row]))
  for (let minute = since; minute <= current; minute += 60) {
    past.set(minute, found.get(minute) ?? { minute, included: 0, reverted: 0, dropped: 0, gas: 0n })
  }
  for (const minute of past.keys()) if (minute < first) past.delete(minute)
  const minutes = [...past.values()].toSorted((a, b) => a.minute - b.minute)
  const seconds = times.map((time) => time.seconds)
  return {
    minutes: minutes.map(({ gas, ...minute }) => ({ ...minute, gas: String(gas) })),
    inclusion: {
      count: times.length,
      p50: quantile(seconds, 0.5) ?? null,
      p95: quantile(seconds, 0.95) ?? null,
      byMinute: minutes.map(({ minute }) => ({
        minute,
        median:
          quantile(
            times.filter(({ at }) => at >= minute && at < minute + 60).map((time) => time.seconds),
            0.5,
          ) ?? null,
      })),
    },
  }
}
