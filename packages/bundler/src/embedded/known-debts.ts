import type { Address } from 'viem'

/**
 * What accounts owe, as far as this process has seen, so that an estimate adds it without a statement of its own. An
 * account that this process does not know is refused when it submits, and known from then on.
 */
export interface KnownDebts {
  /** wei */
  readonly of: (account: Address) => bigint
  readonly remember: (account: Address, owed: bigint) => void
}

/** Older ones are forgotten: they only cost a refusal more. */
const maxRemembered = 10_000

export function createKnownDebts(): KnownDebts {
  const known = new Map<string, bigint>()
  return {
    of: (account) => known.get(account.toLowerCase()) ?? 0n,
    remember(account, owed) {
      known.delete(account.toLowerCase())
      if (owed > 0n) known.set(account.toLowerCase(), owed)
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
    },
  }
}
