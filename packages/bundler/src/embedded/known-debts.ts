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

/** Milliseconds. Another process may see the repayment, and the operator may forgive a debt. */
const rememberedFor = 300_000

/** Older ones are forgotten: they only cost a refusal more. */
const maxRemembered = 10_000

export function createKnownDebts(): KnownDebts {
  const known = new Map<string, { readonly owed: bigint; readonly seenAt: number }>()
  return {
    of(account) {
      const debt = known.get(account.toLowerCase())
      return debt && performance.now() - debt.seenAt < rememberedFor ? debt.owed : 0n
    },
    remember(account, owed) {
      known.delete(account.toLowerCase())
      if (owed > 0n) known.set(account.toLowerCase(), { owed, seenAt: performance.now() })
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
    },
  }
}
