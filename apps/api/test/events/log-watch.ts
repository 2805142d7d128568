import { createNetworks, networkConfig } from '@lanyard/networks'
import {
  type AccountLogWatch,
  watchAccountLogs,
} from '../../src/domain/events/account-logs/watch-account-logs.ts'
import type { SessionService } from '../session-keys/session-service.ts'

/** Watches the logs of a network through another RPC endpoint, as a separate process does. */
export function createLogWatch(
  service: SessionService,
  {
    chainId,
    rpcUrl,
    finality,
    now,
  }: {
    readonly chainId: number
    readonly rpcUrl: string
    readonly finality: object
    readonly now: () => Date
  },
): AccountLogWatch {
  const { settlementToken, sessionKeys } = service.on(chainId)
  const networks = createNetworks([
    networkConfig.parse({
      ...{ chainId, name: 'Test', rpcUrls: [rpcUrl], local: true, finality, settlementToken, sessionKeys },
    }),
  ])
  return watchAccountLogs({ database: service.database.db, now }, networks.get(chainId))
}
