import { escapeText, readStored, writeStored } from '@lanyard/ui'
import type { Address, Hex } from 'viem'
import { emptySessionDraft, type SessionDraft } from './session-draft.ts'
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

/** A session key that works no longer, although the person allowed it for longer, and what grants it once more. */
export type EndedKey = { readonly chainId: number; readonly keyId: Hex } & (
  | { readonly app: KnownApp; readonly fragment: string }
  /** The form of a key that was granted by hand. */
  | { readonly app: undefined; readonly draft: SessionDraft }
)

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
  writeStored(keyOf(account, chainId, keyId), { name, origin, ...asked })
}

/**
 * Stores in this browser what the person typed to grant a key by hand, so that it can be granted once more.
 *
 * @param grantedAt - Unix seconds
 */
export function rememberDraft(
  account: Address,
  chainId: number,
  keyId: Hex,
  draft: SessionDraft,
  grantedAt: number,
): void {
  writeStored(keyOf(account, chainId, keyId), { draft, grantedAt })
}

/** The person ended it, and does not want to be asked about it again. */
export function forgetRequest(account: Address, chainId: number, keyId: Hex): void {
  const app = knownApp(account, chainId, keyId)
  if (app) rememberApp(account, chainId, keyId, app)
  else writeStored(keyOf(account, chainId, keyId), undefined)
}

/** The app that requested a key through a link in this browser. Undefined for any other key. */
export const knownApp = (account: Address, chainId: number, keyId: Hex): KnownApp | undefined =>
  readApp(keyOf(account, chainId, keyId))

/** The form of a key that was granted by hand. */
function readDraft(key: string): { readonly draft: SessionDraft; readonly grantedAt: number } | undefined {
  const { draft, grantedAt } = Object(readStored(key))
  if (typeof draft?.key !== 'string' || typeof grantedAt !== 'number') return undefined
  return { draft: { ...emptySessionDraft, ...draft, duration: Number(draft.duration) }, grantedAt }
}

function readApp(key: string): (KnownApp & Partial<AskedByLink>) | undefined {
  const { name, origin, fragment, grantedAt }: Readonly<Record<string, unknown>> = Object(readStored(key))
  if (typeof name !== 'string' || typeof origin !== 'string') return undefined
  return {
    name: escapeText(name, 48),
    origin: escapeText(origin, 253),
    ...(typeof fragment === 'string' && typeof grantedAt === 'number' && { fragment, grantedAt }),
  }
}

/** Seconds that a grant has to be included in a block. */
const underWay = 600

/**
 * The keys that were granted in this browser, and ended before their time: an owner left, or another device revoked them.
 *
 * @param granted - the sessions that work; networks that do not answer say nothing
 * @param now - Unix seconds
 */
export function findEndedKeys(
  account: Address,
  { sessions, unavailable }: GrantedSessions,
  now: number,
): readonly EndedKey[] {
  const prefix = prefixOf(account)
  return storedKeys(prefix).flatMap((key): readonly EndedKey[] => {
    const [network, keyId] = key.slice(prefix.length).split('.')
    const named = { chainId: Number(network), keyId: keyId as Hex } // as it was stored
    const isOver = (grantedAt: number, duration: number) =>
      now < grantedAt + underWay || now >= grantedAt + duration
    if (unavailable.includes(named.chainId)) return []
    if (sessions.some((one) => one.chainId === named.chainId && one.keyId === keyId)) return []
    const typed = readDraft(key)
    if (typed)
      return isOver(typed.grantedAt, typed.draft.duration)
        ? []
        : [{ ...named, app: undefined, draft: { ...typed.draft, chainId: named.chainId } }]
    const { name, origin, fragment, grantedAt } = readApp(key) ?? {}
    if (name === undefined || origin === undefined || fragment === undefined || grantedAt === undefined)
      return []
    const read = readSessionRequest(fragment)
    if (!read.ok || isOver(grantedAt, read.request.duration)) return []
    return [{ ...named, app: { name, origin }, fragment }]
  })
}

function storedKeys(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return [] // storage is blocked
  }
}
