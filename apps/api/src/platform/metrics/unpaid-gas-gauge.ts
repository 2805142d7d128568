import { type Database, lostSince } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Metrics } from './metrics.ts'

interface Dependencies {
  readonly database: Kysely<Database>
  /** Those on which this service sends transactions. */
  readonly networks: readonly Network[]
  readonly now: () => Date
}

/** Milliseconds. */
const hour = 3_600_000

/** How much of `unpaidGasPerHour` is used, read from the database, so that every replica shows the same. */
export function addUnpaidGasGauge(metrics: Metrics, { database, networks, now }: Dependencies): void {
  const limits = new Map(
    networks.map(({ chainId, config }) => [chainId, BigInt(config.unpaidGasPerHour)] as const),
  )
  metrics.addGauge({
    name: 'unpaid_gas_used_ratio',
    help: 'What transactions that nobody paid cost within an hour, as a part of unpaidGasPerHour; from 1 on, accounts that are not as the service deploys them, delegated EOAs and external paymasters wait',
    labels: ['network'],
    ofDatabase: true,
    async read() {
      const { rows } = await sql<{ network: number; lost: bigint }>`
        select given.network, ${lostSince(sql.ref('given.network'), new Date(now().getTime() - hour))} as lost
        from unnest(${[...limits.keys()]}::int8[]) as given (network)`.execute(database)
      return rows.map(({ network, lost }) => {
        const limit = limits.get(Number(network)) ?? 0n
        // Without a budget none is used up.
        return { labels: { network }, value: limit === 0n ? 0 : Number(lost) / Number(limit) }
      })
    },
  })
}
