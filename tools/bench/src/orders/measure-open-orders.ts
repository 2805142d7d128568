import type { DevnetNetwork } from '@lanyard/devnet'
import { startProcess } from '../programs/service.ts'
import { median, timed } from '../report/statistics.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createClient } from './client.ts'
import { giveDeposits } from './give-deposits.ts'

const warmUp = 3
const rounds = 25
const deposited = 100_000_000n

/** The cost of a quote for an account whose orders are claimed but not settled. */
export interface OpenOrdersCost {
  readonly orders: number
  /** Median, milliseconds. */
  readonly ms: number
}

/**
 * Measures quotes of accounts with the given numbers of open orders, in rotation. This process does not
 * attest, so the orders stay open.
 *
 * @param databaseUrl - of PostgreSQL, which a process without all roles requires
 */
export async function measureOpenOrders(
  networks: readonly DevnetNetwork[],
  databaseUrl: string,
  counts: readonly number[],
): Promise<OpenOrdersCost[]> {
  await using service = await startProcess(networks, { databaseUrl, roles: ['api', 'worker'] })
  const client = createClient(service.url)
  const output = networks.at(-1)?.chainId ?? Number.NaN
  const owners = ownersFrom(5000, counts.length)
  await giveDeposits(client, networks, owners, deposited)

  const accounts = owners.map((owner, index) => ({ owner, orders: counts[index] ?? 0 }))
  for (const { owner, orders } of accounts) {
    for (let order = 0; order < orders; order++) {
      // The first order takes everything deposited on the output network; every order borrows something.
      const solution = await client.solve(owner, output, order === 0 ? deposited + 1n : 1n)
      await client.send(owner, await client.buildOrder(owner, output, solution))
    }
  }

  const times = new Map(counts.map((count) => [count, [] as number[]]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { owner, orders } of accounts) {
      const { ms } = await timed(() => client.quote(owner, output, 1n))
      if (round >= warmUp) times.get(orders)?.push(ms)
    }
  }
  return counts.map((orders) => ({ orders, ms: median(times.get(orders) ?? []) }))
}
