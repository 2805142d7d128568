import type { GaugeReading, Metrics } from '../../../platform/metrics/metrics.ts'
import type { SettlementDependencies } from './dependencies.ts'
import { type Exposure, readExposure } from './exposure.ts'

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
