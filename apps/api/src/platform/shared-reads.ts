import type { NetworkHealth } from '@lanyard/networks'
import type { NetworkBalance } from '../domain/accounts/accounts/balances.ts'
import type { NetworkTransfers } from '../domain/accounts/accounts/incoming-transfers.ts'
import type { SyncedLedger } from '../domain/smart-balance/ledger/sync-ledger.ts'

/** Answers of one kind at most; the oldest goes. */
const maxKept = 1_000

/** What is read now, or was read a moment ago, under this key; else what `read` says. */
type Shared<T> = (key: string, read: () => Promise<T>) => Promise<T>

/**
 * What chains say of accounts, shared among callers for a moment: a flood of calls costs the chains no more than one
 * call. It is public, all of it; what is private to a user never enters here.
 */
export interface SharedReads {
  readonly balances: Shared<NetworkBalance>
  readonly transfers: Shared<NetworkTransfers>
  readonly ledgers: Shared<SyncedLedger>
  readonly health: Shared<NetworkHealth>
  readonly database: Shared<void>
  /** From now on everything is read again, also what is being read: it may be from before a change. */
  clear(): void
}

/** @param lifetime - milliseconds; 0 shares only what is being read */
export function createSharedReads(
  lifetime: number,
  now: () => number = () => performance.now(),
): SharedReads {
  const clears: (() => void)[] = []
  function share<T>(): Shared<T> {
    const kept = new Map<string, { readonly answer: Promise<T>; until: number }>()
    clears.push(() => kept.clear())
    return (key, read) => {
      const found = kept.get(key)
      if (found && now() < found.until) return found.answer
      const entry = { answer: read(), until: Number.POSITIVE_INFINITY }
      kept.delete(key)
      kept.set(key, entry)
      const [oldest] = kept.keys()
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
      entry.answer.then(
        () => {
          entry.until = now() + lifetime
        },
        () => {
          entry.until = 0
        },
      )
      return entry.answer
    }
  }
  return {
    balances: share(),
    transfers: share(),
    ledgers: share(),
    health: share(),
    database: share(),
    clear() {
      for (const clear of clears) clear()
    },
  }
}
