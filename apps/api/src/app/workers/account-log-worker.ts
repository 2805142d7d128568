import type { PgBoss } from 'pg-boss'
import { watchAccountLogs } from '../../domain/events/account-logs/watch-account-logs.ts'
import type { Services } from '../../pipeline/services.ts'
import { startPassQueue } from './pass-queue.ts'

/** Reads the logs of owners, sessions and transfers on each network, while anybody wants to hear of them. */
export async function startAccountLogWorker(
  boss: PgBoss,
  { database, networks, now, log }: Services,
): Promise<void> {
  await Promise.all(
    networks.list().map((network) =>
      startPassQueue(boss, log, {
        name: 'account-logs',
        network: network.chainId,
        ...watchAccountLogs({ database, now }, network),
      }),
    ),
  )
}
