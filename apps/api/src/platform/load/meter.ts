import type { RateBucket } from '@lanyard/contracts'

/** Space that is reserved for what a request stores. */
export interface ReservedSpace {
  /** @param bytes - what is stored; the first call counts */
  charge(bytes: number): void
  /** Nothing was stored; without effect after `charge`. */
  release(): void
}

/**
 * What is stored for callers: `builds` until they were not signed in time; `accounts`, and operations that are `signed`
 * and not included, forever.
 */
export type StoredKind = 'builds' | 'accounts' | 'signed'

/** Who waits for a node, and for how much. */
interface NodeUser {
  /** Who shares with whom, the largest group first: a network of addresses, an address, a person. */
  readonly path: readonly string[]
  /** What its last simulations cost: 1 for a usual one. Undefined: it had none. */
  readonly cost: number | undefined
}

/** Records what the current request costs. */
export interface Meter {
  /** The caller, as requests to nodes are ordered. */
  nodeUser(): NodeUser
  /**
   * Reserves what more calls may cost, which only the body names.
   *
   * @param buckets - the counter of each of them
   * @throws RATE_LIMITED when the caller, or its network of addresses, has used its allowance
   */
  addCalls(buckets: readonly RateBucket[]): void
  /** Adds gas that a node simulated. */
  addGas(gas: bigint): void
  /** Adds milliseconds of another thread. */
  addTime(milliseconds: number): void
  /**
   * Reserves space in the database.
   *
   * @throws RATE_LIMITED when what the caller, or its network of addresses, has stored takes too much
   */
  reserveSpace(kind: StoredKind, bytes: number): ReservedSpace
  /** The request only waits from now on; returns a function that ends this. */
  pause(): () => void
  /**
   * Work begins that goes on although the caller leaves: what it uses is charged until the returned function is called.
   *
   * @throws RATE_LIMITED when the caller has left already
   */
  work(): () => void
}
