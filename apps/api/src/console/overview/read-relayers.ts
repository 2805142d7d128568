import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import { withReadTimeout } from '../../platform/timeouts.ts'

export interface RelayerView {
  readonly network: number
  readonly address: Address
  /** Of the native coin. */
  readonly symbol: string
  /** wei; null while the network does not answer. */
  readonly balance: string | null
  /** Seconds until it is empty, if its days go on like the last one; null if it lost nothing, or nothing is known. */
  readonly lasts: number | null
  /** Nonces with a transaction that may still be mined: those that the chain has not used. */
  readonly inFlight: number
  /** When the oldest of these transactions was written. */
  readonly oldestAt: string | null
  /** Of the newest of them, wei per gas. */
  readonly maxFeePerGas: string | null
  /** A process holds its lease now. */
  readonly active: boolean
  /** wei of the last day: what its mined transactions cost, and what EntryPoint paid for them. */
  readonly spent: string
  readonly earned: string
}

const day = 86_400

/**
 * Seconds for which a balance pays what a day lost. What EntryPoint paid for the operations comes back to the relayer, so only
 * the difference is lost.
 *
 * @param balance - wei, like the others
 */
export function lastsFor(balance: bigint, spent: bigint, earned: bigint): number | null {
  if (balance === 0n) return 0
  return spent > earned ? Number((balance * BigInt(day)) / (spent - earned)) : null
}

/**
 * The relayers, nearest to empty first. The console has none of their keys. Rows say what was sent, and the chain says what of
 * it may still be mined: a worker that stopped leaves rows behind that ended long ago.
 */
export async function readRelayers(
  database: Kysely<Database>,
  networks: Networks,
  now: Date,
): Promise<readonly RelayerView[]> {
  const [rows, live] = await Promise.all([
    database
      .selectFrom('relayer_leases as lease')
      .select(['lease.network', 'lease.relayer', 'lease.expires_at'])
      .leftJoin(
        ({ selectFrom }) =>
          selectFrom('relayer_transactions')
            .select(['network', 'relayer'])
            .select(sql<string>`sum(spent)::text`.as('spent'))
            .select(sql<string>`sum(earned)::text`.as('earned'))
            .where('spent', 'is not', null)
            .where('created_at', '>', new Date(now.getTime() - day * 1_000))
            .groupBy(['network', 'relayer'])
            .as('day'),
        (join) => join.onRef('day.network', '=', 'lease.network').onRef('day.relayer', '=', 'lease.relayer'),
      )
      .select(['day.spent', 'day.earned'])
      .orderBy('lease.network')
      .orderBy('lease.relayer')
      .execute(),
    // At most a few for each relayer: `maxInFlight`, with their replacements.
    database
      .selectFrom('relayer_transactions')
      .select(['network', 'relayer', 'nonce', 'created_at', 'max_fee_per_gas'])
      .where('state', '=', sql.lit('live'))
      .execute(),
  ])
  const configured = new Map(networks.list().map((network) => [network.chainId, network]))
  const views = rows.flatMap(({ network: chainId, relayer, expires_at, ...last }) => {
    const network = configured.get(chainId)
    return network ? [readRelayer(network, { relayer, expires_at, ...last })] : []
  })
  const ends = ({ lasts }: RelayerView) => lasts ?? Number.POSITIVE_INFINITY
  return (await Promise.all(views)).toSorted((a, b) => (ends(a) === ends(b) ? 0 : ends(a) - ends(b)))

  async function readRelayer(
    network: Network,
    { relayer, expires_at, spent, earned }: Omit<(typeof rows)[number], 'network'>,
  ): Promise<RelayerView> {
    const address = getAddress(relayer)
    const onChain = await withReadTimeout(
      network,
      network.call((client) =>
        Promise.all([client.getBalance({ address }), client.getTransactionCount({ address })]),
      ),
    ).catch(() => undefined)
    const [balance, nonce = 0] = onChain ?? []
    const open = live.filter(
      (sent) => sent.network === network.chainId && sent.relayer === relayer && sent.nonce >= nonce,
    )
    const created = open.map(({ created_at }) => created_at.getTime())
    const fees = open.map(({ max_fee_per_gas }) => max_fee_per_gas)
    const cost = { spent: spent ?? '0', earned: earned ?? '0' }
    return {
      ...{ network: network.chainId, address, symbol: network.config.nativeCurrency.symbol },
      balance: balance === undefined ? null : String(balance),
      lasts: balance === undefined ? null : lastsFor(balance, BigInt(cost.spent), BigInt(cost.earned)),
      inFlight: new Set(open.map((sent) => sent.nonce)).size,
      oldestAt: created.length === 0 ? null : new Date(Math.min(...created)).toISOString(),
      maxFeePerGas: fees.length === 0 ? null : String(fees.reduce((a, b) => (a > b ? a : b))),
      active: expires_at > now,
      ...cost,
    }
  }
}
