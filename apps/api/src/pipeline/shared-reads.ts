import type { NetworkHealth } from '@lanyard/networks'
import type { NetworkBalance } from '../domain/accounts/accounts/balances.ts'
import type { NetworkTransfers } from '../domain/ledger/incoming-transfers.ts'
import type { ExternalOperation } from '../domain/operations/track/external-operations.ts'
import type { SyncedLedger } from '../domain/smart-balance/ledger/sync-ledger.ts'
import { createSharing, type Shared } from '../platform/shared-reads.ts'

/**
 * Reads of accounts' state on the chains, shared among callers for a moment: a flood of calls causes no more
 * requests than one call. All of it is public; private data of a user is never cached here.
 */
export interface SharedReads {
  readonly balances: Shared<NetworkBalance>
  readonly transfers: Shared<NetworkTransfers>
  readonly externalOperations: Shared<readonly ExternalOperation[]>
  readonly ledgers: Shared<SyncedLedger>
  readonly health: Shared<NetworkHealth>
  /** Whether the database answers: asked once a second at most, since probes are not counted. */
  readonly database: Shared<'up' | 'down'>
  /** Discards what was read on chains, including reads in progress: they may be from before a change. */
  clear(): void
}

/** @param lifetime - milliseconds; 0 shares only reads in progress */
export function createSharedReads(lifetime: number, now?: () => number): SharedReads {
  const { share, clear } = createSharing(lifetime, now)
  return {
    balances: share(),
    transfers: share(),
    externalOperations: share(),
    ledgers: share(),
    health: share(),
    database: createSharing(1_000, now).share(),
    clear,
  }
}
