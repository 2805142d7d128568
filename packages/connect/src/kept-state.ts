import { findPage } from './page.ts'

/** What a page remembers of its connection. */
export interface KeptState {
  readonly accounts: readonly string[]
  /** The networks of the wallet; empty before the first connection. */
  readonly walletChains: readonly number[]
  readonly chainId: number
  /** The page's own ids of its bundles of calls, and the wallet's (EIP-5792). */
  readonly bundles: Readonly<Record<string, string>>
}

const keyOf = (walletOrigin: string) => `lanyard.connect.${walletOrigin}`

/** What was kept at an earlier visit. Storage that is blocked or holds something else keeps nothing. */
export function readState(walletOrigin: string): Partial<KeptState> {
  try {
    return Object(JSON.parse(findPage()?.localStorage.getItem(keyOf(walletOrigin)) ?? '{}'))
  } catch {
    return {}
  }
}

export function writeState(walletOrigin: string, state: KeptState): void {
  try {
    findPage()?.localStorage.setItem(keyOf(walletOrigin), JSON.stringify(state))
  } catch {
    // Storage is blocked: the next visit connects again.
  }
}
