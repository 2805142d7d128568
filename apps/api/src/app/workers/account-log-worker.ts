import { watchAccountLogs } from '../../domain/events/account-logs/watch-account-logs.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'

/** Reads the logs of owners, sessions and transfers on each network while there are subscribers. */
export async function startAccountLogWorker(
  passes: Passes,
  { database, networks, now }: Services,
): Promise<void> {
  await Promise.all(
    networks.list().map((network) => {
      const { hasWork, pass } = watchAccountLogs({ database, now }, network)
      return passes.repeat({ name: 'account-logs', network: network.chainId, hasWork, run: pass })
    }),
  )
}
