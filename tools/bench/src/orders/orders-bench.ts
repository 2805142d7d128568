import { type DevnetNetwork, startDevnet } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'
import { nodeLatency } from './far-networks.ts'
import { type BalanceCost, measureBalance } from './measure-balance.ts'
import { measureOpenOrders, type OpenOrdersCost } from './measure-open-orders.ts'
import { measureSpending, type SpendingCost } from './measure-spending.ts'

const networkCounts = [1, 3, 10]
const orderCounts = [1, 5, 20]

/**
 * Compares the smart balance with different numbers of networks and orders, and its steps with an ordinary
 * build.
 */
export const ordersBench: Bench = {
  name: 'orders',
  async run(progress) {
    const chainIds = Array.from({ length: Math.max(...networkCounts) }, (_, index) => 31337 + index)
    await using devnet = await startDevnet({ chainIds })
    progress(`getbalance with ${networkCounts.join(', ')} networks`)
    const balances = await measureBalance(devnet.networks, networkCounts)
    const three = devnet.networks.slice(0, 3)
    progress('quote, solution and build of an order, with 3 networks')
    const spending = await measureSpending(three)
    const quotes = await quotesWithOrders(three, progress)
    return {
      title: 'Smart balance',
      method: `The service in its own process, over HTTP, on PGlite, with local networks, each behind a proxy that adds ${nodeLatency} ms to every round trip and counts them. Balances: one account with a deposit on every network; services with ${networkCounts.join(', ')} of the networks are queried alternately. Steps of an order: 3 networks, another deployed account for each round, and 1.5 times the deposit on the output network, compared with a build of the same payment without an order in the same rounds. Quotes with open orders: on PostgreSQL and without proxies, with orders that are claimed but not settled. The gas of settlements is listed under Contracts.`,
      versions: versionsOf('@lanyard/devnet'),
      comparisons: [...ofBalances(balances), ...ofSpending(spending), ...ofOpenOrders(quotes)],
    }
  },
}

async function quotesWithOrders(
  networks: readonly DevnetNetwork[],
  progress: (line: string) => void,
): Promise<OpenOrdersCost[]> {
  await using postgres = await startPostgres()
  if (!postgres) return []
  progress(`quotes of accounts with ${orderCounts.join(', ')} open orders`)
  return await measureOpenOrders(networks, await postgres.fresh(), orderCounts)
}

function ofBalances([one, ...more]: readonly BalanceCost[]): Comparison[] {
  if (!one) return []
  return [
    ...more.map(
      ({ networks, ms }): Comparison => ({
        what: `getbalance, ${networks} networks, nodes ${nodeLatency} ms away`,
        unit: 'ms',
        ours: ms,
        peer: one.ms,
        peerName: 'one network',
        // The networks are read concurrently. Read serially, the time would grow with the number of networks.
        goal: { of: 'ratio', bound: 'at most', value: 2 },
        whenMissed:
          'the networks are queried concurrently, but one thread encodes all requests and decodes all answers.',
      }),
    ),
    ...[one, ...more].map(
      ({ networks, trips }): Comparison => ({
        what: `Round trips to each network’s node per getbalance, ${networks} ${networks === 1 ? 'network' : 'networks'}`,
        unit: 'requests',
        ours: trips,
        goal: { of: 'ours', bound: 'at most', value: 1 },
      }),
    ),
  ]
}

function ofSpending({ quote, solution, orderBuild, build }: SpendingCost): Comparison[] {
  const steps = { Quote: quote, Solution: solution, 'Build with the order': orderBuild }
  return Object.entries(steps).map(([step, ms]) => ({
    what: `${step}, 3 networks, nodes ${nodeLatency} ms away`,
    unit: 'ms',
    ours: ms,
    peer: build,
    peerName: 'a build without an order',
  }))
}

function ofOpenOrders([few, ...more]: readonly OpenOrdersCost[]): Comparison[] {
  if (!few) return []
  return more.map(({ orders, ms }) => ({
    what: `Quote, account with ${orders} open orders, on PostgreSQL`,
    unit: 'ms',
    ours: ms,
    peer: few.ms,
    peerName: `${few.orders} open order`,
    goal: { of: 'ratio', bound: 'at most', value: 2 },
    whenMissed:
      'each open order is read in the same call to each of its sources, and decoded. This adds no statement and no round trip.',
  }))
}
