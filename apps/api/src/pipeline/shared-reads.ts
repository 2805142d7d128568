import type { NetworkHealth } from '@lanyard/networks'
import type { NetworkBalance } from '../domain/accounts/accounts/balances.ts'
import type { NetworkTransfers } from '../domain/accounts/accounts/incoming-transfers.ts'
import type { ForeignOperation } from '../domain/operations/track/foreign-operations.ts'
import type { SyncedLedger } from '../domain/smart-balance/ledger/sync-ledger.ts'
import { createSharing, type Shared } from '../platform/shared-reads.ts'

/**
 * What chains say of accounts, shared among callers for a moment: a flood of calls costs the chains no more than one
 * call. It is public, all of it; what is private to a user never enters here.
 */
export interface SharedReads {
  readonly balances: Shared<NetworkBalance>
  readonly transfers: Shared<NetworkTransfers>
  readonly foreignOperations: Shared<readonly ForeignOperation[]>
  readonly ledgers: Shared<SyncedLedger>
  readonly health: Shared<NetworkHealth>
  readonly database: Shared<void>
  /** From now on everything is read again, also what is being read: it may be from before a change. */
  clear(): void
}

/** @param lifetime - milliseconds; 0 shares only what is being read */
export function createSharedReads(lifetime: number, now?: () => number): SharedReads {
  const { share, clear } = createSharing(lifetime, now)
  return {
    balances: share(),
    transfers: share(),
    foreignOperations: share(),
    ledgers: share(),
    health: share(),
    database: share(),
    clear,
  }
}
