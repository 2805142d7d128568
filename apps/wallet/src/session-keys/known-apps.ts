import type { Address, Hex } from 'viem'
import { escapeText } from '../ui/escape-text.ts'
import { readSessionRequest } from './session-request.ts'
import type { GrantedSessions } from './use-sessions.ts'

/** The app that requested a session key, as it named itself. */
export interface KnownApp {
  readonly name: string
  readonly origin: string
}

/** What an app asked for by a link, so that the person can grant it once more. */
interface AskedByLink {
  /** The link's fragment, `#request=…`. */
  readonly fragment: string
  /** Unix seconds. */
  readonly grantedAt: number
}

/** An app whose session key works no longer, although the person allowed it for longer. */
export interface EndedApp extends KnownApp {
  readonly chainId: number
  readonly keyId: Hex
  readonly fragment: string
}

const prefixOf = (account: Address) => `lanyard.app.${account.toLowerCase()}.`
const keyOf = (account: Address, chainId: number, keyId: Hex) => `${prefixOf(account)}${chainId}.${keyId}`

/** Stores in this browser which app requested a key. The chain knows only the key. */
export function rememberApp(
  account: Address,
  chainId: number,
  keyId: Hex,
  { name, origin }: KnownApp,
  asked?: AskedByLink,
): void {
  try {
    localStorage.setItem(keyOf(account, chainId, keyId), JSON.stringify({ name, origin, ...asked }))
  } catch {
    // Storage is blocked, so the list shows only the key.
  }
}

/** The person ended it, and does not want to be asked about it again. */
export function forgetRequest(account: Address, chainId: number, keyId: Hex): void {
  const app = knownApp(account, chainId, keyId)
  if (app) rememberApp(account, chainId, keyId, app)
}

/** The app that requested a key through a link in this browser. Undefined for any other key. */
export const knownApp = (account: Address, chainId: number, keyId: Hex): KnownApp | undefined =>
  readApp(keyOf(account, chainId, keyId))

function readApp(key: string): (KnownApp & Partial<AskedByLink>) | undefined {
  try {
    const stored: Readonly<Record<string, unknown>> | null = JSON.parse(localStorage.getItem(key) ?? 'null')
    const { name, origin, fragment, grantedAt } = stored ?? {}
    if (typeof name !== 'string' || typeof origin !== 'string') return undefined
    return {
      ...{ name: escapeText(name, 48), origin: escapeText(origin, 253) },
      ...(typeof fragment === 'string' && typeof grantedAt === 'number' && { fragment, grantedAt }),
    }
  } catch {
    return undefined
  }
}

/** Seconds that a grant has to be included in a block. */
const underWay = 600

/**
 * The apps that asked in this browser, and whose keys ended before their time: an owner left, or another device revoked them.
 *
 * @param granted - the sessions that work; networks that do not answer say nothing
 * @param now - Unix seconds
 */
export function findEndedApps(
  account: Address,
  { sessions, unavailable }: GrantedSessions,
  now: number,
): readonly EndedApp[] {
  const prefix = prefixOf(account)
  return storedKeys(prefix).flatMap((key) => {
    const [network, keyId] = key.slice(prefix.length).split('.')
    const chainId = Number(network)
    const app = readApp(key)
    if (app?.fragment === undefined || app.grantedAt === undefined) return []
    const { name, origin, fragment, grantedAt } = app
    const read = readSessionRequest(fragment)
    if (!read.ok || now < grantedAt + underWay || now >= grantedAt + read.request.duration) return []
    if (unavailable.includes(chainId)) return []
    if (sessions.some((one) => one.chainId === chainId && one.keyId === keyId)) return []
    return [{ name, origin, chainId, keyId: keyId as Hex, fragment }] // as it was stored
  })
}

function storedKeys(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return [] // storage is blocked
  }
}
