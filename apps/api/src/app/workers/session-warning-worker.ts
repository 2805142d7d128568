import { hasSessionOutcomes, warnOfSessions } from '../../domain/session-keys/warn-of-sessions.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Passes } from './passes.ts'

/** On each network with session keys: tells owners of keys that empty an allowance at once, or keep failing. */
export async function startSessionWarningWorker(
  passes: Passes,
  { database, networks, now, log, metrics }: Services,
): Promise<void> {
  await Promise.all(
    networks
      .list()
      .filter(({ config }) => config.sessionKeys)
      .map((network) => {
        const dependencies = { database, now, log, metrics }
        return passes.repeat({
          name: 'session-warnings',
          network: network.chainId,
          hasWork: () => hasSessionOutcomes(dependencies, network),
          run: () => warnOfSessions(dependencies, network),
        })
      }),
  )
}
