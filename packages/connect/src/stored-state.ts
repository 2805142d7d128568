import { findPage } from './page.ts'

/** The connection state that a page stores. */
export interface StoredState {
  readonly accounts: readonly string[]
  /** The wallet's networks. Empty before the first connection. */
  readonly walletChains: readonly number[]
  /** Those of them with session keys. */
  readonly grantChains: readonly number[]
  readonly chainId: number
  /** Maps the page's own ids of call bundles to the wallet's ids (EIP-5792). */
  readonly bundles: Readonly<Record<string, string>>
}

const keyOf = (walletOrigin: string) => `lanyard.connect.${walletOrigin}`

/**
 * Reads the state stored at an earlier visit. Blocked storage, or storage with other content, counts as
 * empty.
 */
export function readState(walletOrigin: string): Partial<StoredState> {
  try {
    return Object(JSON.parse(findPage()?.localStorage.getItem(keyOf(walletOrigin)) ?? '{}'))
  } catch {
    return {}
  }
}

export function writeState(walletOrigin: string, state: StoredState): void {
  try {
    findPage()?.localStorage.setItem(keyOf(walletOrigin), JSON.stringify(state))
  } catch {
    // Storage is blocked, so the next visit connects again.
  }
}
