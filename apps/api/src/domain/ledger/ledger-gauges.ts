import { type Database, readLedgerProgress } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Metrics } from '../../platform/metrics/metrics.ts'

interface Dependencies {
  readonly database: Kysely<Database>
  readonly networks: Pick<Networks, 'list'>
  readonly now: () => Date
}

/** How far the ledgers of all networks are, from the database, so that every process shows it. */
export function addLedgerGauges(
  metrics: Pick<Metrics, 'addGauge'>,
  { database, networks, now }: Dependencies,
): void {
  /** A network that the configuration no longer names is not read. */
  const readProgress = async () => {
    const named = new Set(networks.list().map(({ chainId }) => chainId))
    return (await readLedgerProgress(database)).filter(({ network }) => named.has(network))
  }
  metrics.addGauge({
    name: 'ledger_lag_seconds',
    help: 'Time since the last final block up to which the ledgers of the accounts are complete',
    labels: ['network'],
    ofDatabase: true,
    read: async () =>
      (await readProgress()).map(({ network, block_at }) => ({
        labels: { network },
        value: Math.max(0, (now().getTime() - block_at.getTime()) / 1_000),
      })),
  })
  metrics.addGauge({
    name: 'ledger_accounts_behind',
    help: 'Accounts whose earlier entries are still being read',
    labels: ['network'],
    ofDatabase: true,
    read: async () =>
      (await readProgress()).map(({ network, behind }) => ({
        labels: { network },
        value: behind ?? 0,
      })),
  })
}
