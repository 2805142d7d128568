import type { DevnetNetwork } from '@lanyard/devnet'
import { startProcess } from '../programs/service.ts'
import { median, timed } from '../report/statistics.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createClient } from './client.ts'
import { moveAway } from './far-networks.ts'
import { giveDeposits } from './give-deposits.ts'

const warmUp = 3
const rounds = 15
const deposited = 100_000_000n

/** Medians in milliseconds. */
export interface SpendingCost {
  readonly quote: number
  readonly solution: number
  readonly orderBuild: number
  /** The same payment without an order. */
  readonly build: number
}

/**
 * The steps of an order that spends more on the last network than is deposited there, compared with an
 * ordinary build. Each round uses another deployed account. All nodes are equally distant.
 */
export async function measureSpending(networks: readonly DevnetNetwork[]): Promise<SpendingCost> {
  await using far = await moveAway(networks)
  await using service = await startProcess(far.networks)
  const client = createClient(service.url)
  const output = networks.at(-1)?.chainId ?? Number.NaN
  const owners = ownersFrom(4000, warmUp + rounds)
  await giveDeposits(client, networks, owners, deposited)

  const amount = deposited + deposited / 2n
  const measured: SpendingCost[] = []
  for (const owner of owners) {
    const build = await timed(() => client.build(owner, output))
    const quote = await timed(() => client.quote(owner, output, amount))
    const solution = await timed(() => client.solve(owner, output, amount))
    const orderBuild = await timed(() => client.buildOrder(owner, output, solution.value))
    measured.push({ quote: quote.ms, solution: solution.ms, orderBuild: orderBuild.ms, build: build.ms })
  }
  const middle = (step: keyof SpendingCost) => median(measured.slice(warmUp).map((one) => one[step]))
  return {
    quote: middle('quote'),
    solution: middle('solution'),
    orderBuild: middle('orderBuild'),
    build: middle('build'),
  }
}
