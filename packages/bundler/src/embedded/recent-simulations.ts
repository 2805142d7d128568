import type { Address, Hex } from 'viem'

/** A simulation of one operation alone that passed, as this relayer would send it. */
export interface PassedAlone {
  readonly relayer: Address
  /** Before the request left, by `performance.now()`. */
  readonly at: number
}

/** An operation of the queue; a replacement knows only the first two. */
interface QueuedOperation {
  readonly hash: Hex
  readonly operation: { readonly signature: Hex }
  readonly isOnlyOne?: boolean
  readonly reverts?: number
  readonly failures?: number
  readonly owed?: bigint
}

/**
 * Simulations of the last moments. An operation that was simulated alone when it was delivered, and that goes alone a
 * moment later, is not simulated once more: the second answer would be a few milliseconds younger, and the
 * transaction then waits for a block in any case.
 *
 * They are in memory only, so another process, and this one after a crash, simulates before it sends.
 */
export interface RecentSimulations {
  /** @param signature - what was simulated: an operation's hash does not contain it */
  readonly remember: (hash: Hex, signature: Hex, passed: PassedAlone) => void
  /** Whether the relayer may send the operation as it was simulated. The answer is given once. */
  readonly take: (stored: QueuedOperation, relayer: Address) => boolean
}

/** Milliseconds. The signature and the queue need less. */
const maxAge = 50

/** Those of so many operations are remembered, the latest ones. */
const maxRemembered = 256

export function createRecentSimulations(): RecentSimulations {
  const known = new Map<Hex, PassedAlone & { readonly signature: Hex }>()
  return {
    remember(hash, signature, passed) {
      known.delete(hash)
      known.set(hash, { ...passed, signature })
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
    },
    take({ hash, operation, isOnlyOne, reverts, failures, owed }, relayer) {
      const passed = known.get(hash)
      known.delete(hash)
      return (
        passed !== undefined &&
        passed.relayer === relayer &&
        passed.signature === operation.signature &&
        performance.now() - passed.at < maxAge &&
        // A replacement knows none of these, so it is simulated.
        isOnlyOne === true &&
        reverts === 0 &&
        failures === 0 &&
        owed === 0n
      )
    },
  }
}
