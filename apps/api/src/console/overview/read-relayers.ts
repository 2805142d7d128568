import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import { withReadTimeout } from '../../platform/timeouts.ts'

export interface RelayerView {
  readonly network: number
  readonly address: Address
  /** wei; null while the network does not answer. */
  readonly balance: string | null
  /** Transactions that may still be mined. */
  readonly inFlight: number
  /** When the oldest of them was written. */
  readonly oldestAt: string | null
  /** Of the newest of them, wei per gas. */
  readonly maxFeePerGas: string | null
  /** A process holds its lease now. */
  readonly active: boolean
  /** wei of the last day: what its mined transactions cost, and what EntryPoint paid for them. */
  readonly spent: string
  readonly earned: string
}

/** The relayers as the database knows them: the console has none of their keys. */
export async function readRelayers(
  database: Kysely<Database>,
  networks: Networks,
  now: Date,
): Promise<readonly RelayerView[]> {
  const configured = networks.list()
  const rows = await database
    .selectFrom('relayer_leases as lease')
    .select(['lease.network', 'lease.relayer', 'lease.expires_at'])
    .select(({ selectFrom }) => {
      const live = selectFrom('relayer_transactions as live')
        .whereRef('live.network', '=', 'lease.network')
        .whereRef('live.relayer', '=', 'lease.relayer')
        .where('live.state', '=', 'live')
      return [
        live.select(sql<number>`count(*)::int4`.as('count')).as('in_flight'),
        live.select(sql<Date | null>`min(created_at)`.as('oldest')).as('oldest'),
        live.select(sql<string | null>`max(max_fee_per_gas)::text`.as('fee')).as('fee'),
      ]
    })
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom('relayer_transactions')
          .select(['network', 'relayer'])
          .select(sql<string>`sum(spent)::text`.as('spent'))
          .select(sql<string>`sum(earned)::text`.as('earned'))
          .where('spent', 'is not', null)
          .where('created_at', '>', new Date(now.getTime() - 86_400_000))
          .groupBy(['network', 'relayer'])
          .as('day'),
      (join) => join.onRef('day.network', '=', 'lease.network').onRef('day.relayer', '=', 'lease.relayer'),
    )
    .select(['day.spent', 'day.earned'])
    .orderBy('lease.network')
    .orderBy('lease.relayer')
    .execute()
  return Promise.all(
    rows.flatMap(({ network: chainId, relayer, expires_at, in_flight, oldest, fee, spent, earned }) => {
      const network = configured.find((one) => one.chainId === chainId)
      if (!network) return []
      const address = getAddress(relayer)
      const balance = withReadTimeout(
        network,
        network.call((client) => client.getBalance({ address })),
      ).then(String, () => null)
      return [
        balance.then((wei) => ({
          ...{ network: chainId, address, balance: wei, inFlight: in_flight ?? 0 },
          oldestAt: oldest?.toISOString() ?? null,
          maxFeePerGas: fee ?? null,
          active: expires_at > now,
          ...{ spent: spent ?? '0', earned: earned ?? '0' },
        })),
      ]
    }),
  )
}
