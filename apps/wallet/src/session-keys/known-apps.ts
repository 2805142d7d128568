import type { Address, Hex } from 'viem'
import { escapeText } from '../ui/escape-text.ts'

/** The app that requested a session key, as it named itself. */
export interface KnownApp {
  readonly name: string
  readonly origin: string
}

const keyOf = (account: Address, chainId: number, keyId: Hex) =>
  `lanyard.app.${account.toLowerCase()}.${chainId}.${keyId}`

/** Stores in this browser which app requested a key. The chain knows only the key. */
export function rememberApp(account: Address, chainId: number, keyId: Hex, app: KnownApp): void {
  try {
    localStorage.setItem(
      keyOf(account, chainId, keyId),
      JSON.stringify({ name: app.name, origin: app.origin }),
    )
  } catch {
    // Storage is blocked, so the list shows only the key.
  }
}

/** The app that requested a key through a link in this browser. Undefined for any other key. */
export function knownApp(account: Address, chainId: number, keyId: Hex): KnownApp | undefined {
  try {
    const stored: { name?: unknown; origin?: unknown } | null = JSON.parse(
      localStorage.getItem(keyOf(account, chainId, keyId)) ?? 'null',
    )
    const { name, origin } = stored ?? {}
    return typeof name === 'string' && typeof origin === 'string'
      ? { name: escapeText(name, 48), origin: escapeText(origin, 253) }
      : undefined
  } catch {
    return undefined
  }
}
