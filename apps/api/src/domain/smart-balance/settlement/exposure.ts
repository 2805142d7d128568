import { sql } from 'kysely'
import { withReadTimeout } from '../../../platform/timeouts/with-read-timeout.ts'
import type { SettlementDependencies } from './dependencies.ts'
import { type BalanceNetwork, balanceNetworks } from './networks.ts'

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
