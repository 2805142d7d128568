import { addLedgerGauges } from '../../domain/ledger/ledger-gauges.ts'
import { watchLedger } from '../../domain/ledger/watch-ledger.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'

/** Keeps the ledgers of the accounts on each network. */
export async function startLedgerWorker(
  passes: Passes,
  { database, networks, now, log, metrics }: Services,
): Promise<void> {
  addLedgerGauges(metrics, { database, networks, now })
  await Promise.all(
    networks.list().map((network) => {
      const { hasWork, pass } = watchLedger({ database, now, log }, network)
      return passes.repeat({ name: 'ledger', network: network.chainId, hasWork, run: pass })
    }),
  )
}
