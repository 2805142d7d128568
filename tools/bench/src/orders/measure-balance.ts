import type { DevnetNetwork } from '@lanyard/devnet'
import { startProcess } from '../programs/service.ts'
import { median, timed } from '../report/statistics.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createClient } from './client.ts'
import { moveAway } from './far-networks.ts'
import { giveDeposits } from './give-deposits.ts'

const warmUp = 3
const rounds = 25

/** The cost of getbalance for an account with a deposit on each network. */
export interface BalanceCost {
  readonly networks: number
  /** Median, milliseconds. */
  readonly ms: number
  /** Median number of HTTP round trips to the node with the most requests. */
  readonly trips: number
}

/**
 * Measures services on the first network, on the first three and so on, in rotation, all nodes equally
 * distant.
 */
export async function measureBalance(
  networks: readonly DevnetNetwork[],
  counts: readonly number[],
): Promise<BalanceCost[]> {
  await using started = new AsyncDisposableStack()
  const start = async (count: number) => {
    const { networks: far, proxies } = started.use(await moveAway(networks.slice(0, count)))
    return { count, proxies, client: createClient(started.use(await startProcess(far)).url) }
  }
  const most = await start(Math.max(...counts))
  const owners = ownersFrom(3000, 1)
  const [owner] = owners
  if (!owner) throw new TypeError('There is one owner')
  await giveDeposits(most.client, networks.slice(0, most.count), owners, 100_000_000n)
  const services = [most]
  for (const count of counts) if (count !== most.count) services.push(await start(count))
  for (const { client } of services) await client.create(owner)

  const measured = new Map(services.map(({ count }) => [count, [] as { ms: number; trips: number }[]]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { count, proxies, client } of services) {
      for (const proxy of proxies) proxy.take()
      const { ms, value } = await timed(() => client.getBalance(owner))
      const trips = Math.max(...proxies.map((proxy) => proxy.take().trips))
      if (value.netBalance !== String(100_000_000n * BigInt(count))) {
        throw new Error(`A balance of ${count} networks is ${JSON.stringify(value)}`)
      }
      if (round >= warmUp) measured.get(count)?.push({ ms, trips })
    }
  }
  return counts.map((count) => {
    const all = measured.get(count) ?? []
    return {
      networks: count,
      ms: median(all.map(({ ms }) => ms)),
      trips: median(all.map(({ trips }) => trips)),
    }
  })
}
