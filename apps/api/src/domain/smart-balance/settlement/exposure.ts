import { sql } from 'kysely'
import type { Env } from '../../../platform/environment/env.ts'
import type { GaugeReading, Metrics } from '../../../platform/metrics/metrics.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { type BalanceNetwork, balanceNetworks, type SettlementDependencies } from './dependencies.ts'

/** The operator's exposure on one network, in units with 6 decimals. */
export interface Exposure {
  readonly network: number
  /** Liquidity that can be lent, at the head; null while the network does not answer. */
  readonly liquidity: bigint | null
  /** Promised to orders that are not claimed yet; of orders that compete for a nonce, the largest. */
  readonly reserved: bigint
  /**
   * Claimed on this network by orders that are not collected yet, on whichever network they are collected.
   */
  readonly lent: bigint
  /** Attested and still to be collected on this network. */
  readonly due: bigint
}

/**
 * Reads liquidity from the networks and the rest from the database.
 *
 * @returns one entry for each network with a smart balance
 */
export async function readExposure(
  dependencies: Pick<SettlementDependencies, 'database' | 'networks'>,
): Promise<Exposure[]> {
  const networks = balanceNetworks(dependencies.networks)
  const [liquidity, reserved, lent, due] = await Promise.all([
    Promise.all(networks.map(readLiquidity)),
    sumReserved(dependencies),
    sumLent(dependencies),
    sumDue(dependencies),
  ])
  return networks.map(({ network: { chainId } }, index) => ({
    network: chainId,
    liquidity: liquidity[index] ?? null,
    reserved: reserved.get(chainId) ?? 0n,
    lent: lent.get(chainId) ?? 0n,
    due: due.get(chainId) ?? 0n,
  }))
}

const readLiquidity = ({ network, contract }: BalanceNetwork): Promise<bigint | null> =>
  withReadTimeout(
    network,
    network.call((client) => client.readContract({ ...contract, functionName: 'liquidity' })),
  ).catch(() => null)

type Sums = ReadonlyMap<number, bigint>
type Row = { readonly network: number; readonly sum: bigint | string | null }

const toSums = (rows: readonly Row[]): Sums =>
  new Map(rows.map(({ network, sum }) => [network, BigInt(sum ?? 0)]))

async function sumReserved({ database }: Pick<SettlementDependencies, 'database'>): Promise<Sums> {
  const largest = database
    .selectFrom('orders')
    .select(['output_network as network', sql<bigint>`max(claim_amount)`.as('claim')])
    .where('closed_at', 'is', null)
    .where('state', 'in', ['RESERVED', 'SUBMITTED'])
    .groupBy(['account', 'output_network', 'nonce_key', 'nonce_sequence'])
  const rows = await database
    .selectFrom(largest.as('largest'))
    .select(['network', sql<bigint>`sum(claim)`.as('sum')])
    .groupBy('network')
    .execute()
  return toSums(rows)
}

async function sumLent({ database }: Pick<SettlementDependencies, 'database'>): Promise<Sums> {
  const rows = await database
    .selectFrom('orders')
    .select(['output_network as network', sql<bigint>`sum(claim_amount)`.as('sum')])
    .where('closed_at', 'is', null)
    .where('outcome', '=', 'claimed')
    .groupBy('output_network')
    .execute()
  return toSums(rows)
}

async function sumDue({ database }: Pick<SettlementDependencies, 'database'>): Promise<Sums> {
  const rows = await database
    .selectFrom('order_debits')
    .select(['network', sql<bigint>`sum(due - settled_amount)`.as('sum')])
    .where('state', 'in', ['DUE', 'PARTIAL'])
    .where('closed_at', 'is', null)
    .groupBy('network')
    .execute()
  return toSums(rows)
}

/** Milliseconds between polls. */
const readInterval = 30_000

const unitsOfToken = 1_000_000n

type Limits = Pick<Env, 'LIQUIDITY_WARNING' | 'EXPOSURE_WARNING'>

/**
 * Warns when liquidity is low, or when a lot is lent and not yet collected. It warns when the condition begins,
 * and again only after the condition has cleared. It may be called at any rate; it checks every 30 seconds.
 */
export function createExposureWatch(
  dependencies: SettlementDependencies & { readonly env: Limits },
): () => Promise<void> {
  const { env, log, now } = dependencies
  const liquidityWarning = BigInt(env.LIQUIDITY_WARNING) * unitsOfToken
  const exposureWarning = BigInt(env.EXPOSURE_WARNING) * unitsOfToken
  const warned = new Set<string>()
  let next = 0

  function warn(kind: string, exposure: Exposure, holds: boolean) {
    const key = `${kind} ${exposure.network}`
    if (!holds) return void warned.delete(key)
    if (warned.has(key)) return
    warned.add(key)
    const figures = Object.entries(exposure).map(([name, value]) => [name, String(value)])
    log.warn(Object.fromEntries(figures), kind)
  }

  return async () => {
    if (now().getTime() < next) return
    next = now().getTime() + readInterval
    for (const exposure of await readExposure(dependencies)) {
      const { liquidity, lent } = exposure
      if (liquidity !== null) {
        warn('liquidity is low', exposure, env.LIQUIDITY_WARNING > 0 && liquidity < liquidityWarning)
      }
      warn(
        'a lot is lent and not yet collected',
        exposure,
        env.EXPOSURE_WARNING > 0 && lent > exposureWarning,
      )
    }
  }
}

/** Milliseconds for which one reading is shared: all gauges of a scrape use it. */
const shared = 1_000

/** The operator's exposure, in units with 6 decimals, and the open orders. */
export function addExposureGauges(
  metrics: Metrics,
  dependencies: Pick<SettlementDependencies, 'database' | 'networks' | 'now'>,
): void {
  const { database, now } = dependencies
  let reading: Promise<Exposure[]> | undefined
  let until = 0
  const read = () => {
    if (!reading || now().getTime() >= until) {
      reading = readExposure(dependencies)
      until = now().getTime() + shared
    }
    return reading
  }
  const add = (name: string, help: string, figure: 'liquidity' | 'reserved' | 'lent' | 'due') =>
    metrics.addGauge({
      name,
      help,
      labels: ['network'],
      read: async () => (await read()).flatMap((exposure) => toReading(exposure, exposure[figure])),
    })
  add(
    'liquidity_units',
    'Available to lend, 6 decimals; absent while the network does not answer',
    'liquidity',
  )
  add('reserved_units', 'Promised to orders that are not claimed yet, 6 decimals', 'reserved')
  add('lent_units', 'Claimed on the network and not collected yet, 6 decimals', 'lent')
  add('due_units', 'Proven, and still to be collected on the network, 6 decimals', 'due')
  metrics.addGauge({
    name: 'open_orders',
    help: 'Orders that can still change, by output network and state',
    labels: ['network', 'state'],
    ofDatabase: true,
    async read() {
      const rows = await database
        .selectFrom('orders')
        .select(['output_network', 'state'])
        .select(({ fn }) => fn.countAll().as('count'))
        .where('closed_at', 'is', null)
        .groupBy(['output_network', 'state'])
        .execute()
      return rows.map(({ output_network, state, count }) => ({
        labels: { network: output_network, state },
        value: Number(count),
      }))
    },
  })
}

const toReading = ({ network }: Exposure, value: bigint | null): GaugeReading[] =>
  value === null ? [] : [{ labels: { network }, value: Number(value) }]
