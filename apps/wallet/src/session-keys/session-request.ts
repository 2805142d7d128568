import { compilePermissions, forbiddenTargets, type Permission, type SessionKey } from '@lanyard/session-keys'
import { escapeText } from '@lanyard/ui'
import { type Address, zeroAddress } from 'viem'
import { t } from '../i18n/t.ts'
import { parseSessionKey } from './parse-session-key.ts'
import type { GrantRequest } from './plan-grant.ts'
import { clockMargin, describePermissionProblem, permissionNumber } from './read-session-draft.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

/** An app's request from a link. None of it is trusted: the author of the link chose every field. */
export interface SessionRequest {
  /** The app's name for itself, escaped. */
  readonly name: string
  /** The app's claimed origin in ASCII. The wallet cannot verify it. */
  readonly origin: string
  readonly chainId: number
  readonly key: SessionKey
  /** The duration of the session in seconds, from the grant on. */
  readonly duration: number
  /** Only {@link toGrantRequest} reads this. */
  readonly permissions: unknown
}

export type ReadSessionRequestResult =
  | { readonly ok: true; readonly request: SessionRequest }
  | { readonly ok: false; readonly message: string }

/** Longer than any request within the limits of a session. */
const maxLength = 16_384
const maxName = 40
/** Seconds. */
const shortest = 60
const maxDuration = 366 * 86_400

const members = ['v', 'name', 'origin', 'network', 'key', 'duration', 'permissions']

/**
 * Reads the fragment of a link, `#request=<base64url of UTF-8 JSON>`. Every field is validated. An unknown
 * field rejects the whole request, since it may be essential.
 */
export function readSessionRequest(fragment: string): ReadSessionRequestResult {
  const encoded = new URLSearchParams(fragment.replace(/^#/, '')).get('request')
  if (!encoded) return reject(t('It has no request.'))
  if (encoded.length > maxLength) return reject(t('It is too long.'))
  const body = decode(encoded)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return reject(t('It is damaged. Perhaps a part of it is missing.'))
  const { v, name, origin, network, key, duration, permissions } = body as Readonly<Record<string, unknown>>
  if (v !== 1) return reject(t('It is made for another version of this wallet.'))
  const unknown = Object.keys(body).find((member) => !members.includes(member))
  if (unknown !== undefined)
    return reject(
      t('It asks for something that this wallet does not know: {name}.', {
        name: escapeText(unknown, maxName),
      }),
    )
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    return reject(t('It does not say which app asks.'))
  if (typeof origin !== 'string' || !isOrigin(origin)) return reject(t('It does not say which site asks.'))
  if (!Number.isSafeInteger(network) || Number(network) < 1) return reject(t('It names no network.'))
  const parsed = parseSessionKey(typeof key === 'string' ? key : '')
  if (!parsed.ok) return reject(t('Its session key is not valid.'))
  if (!Number.isSafeInteger(duration) || Number(duration) < shortest || Number(duration) > maxDuration)
    return reject(t('It does not last between a minute and a year.'))
  return {
    ok: true,
    request: {
      name: escapeText(name.trim(), maxName),
      origin,
      chainId: Number(network),
      key: parsed.key,
      duration: Number(duration),
      permissions,
    },
  }
}

export type ToGrantRequestResult =
  | { readonly ok: true; readonly grant: GrantRequest }
  | { readonly ok: false; readonly message: string }

/**
 * Compiles a request for a network to a session on this device.
 *
 * @param now - Unix seconds
 */
export function toGrantRequest(
  { key, duration, permissions }: SessionRequest,
  { account, network, now }: { account: Address; network: SessionKeysNetwork; now: number },
): ToGrantRequestResult {
  const compiled = compilePermissions(
    permissions as readonly Permission[], // the compiler checks every field
    {
      validAfter: now - clockMargin,
      validUntil: now + duration,
      forbidden: forbiddenTargets({
        account,
        sessionKeys: network.sessionKeys,
        smartBalance: network.smartBalance?.address ?? zeroAddress,
      }),
    },
  )
  if (!compiled.ok) {
    const [problem] = compiled.problems
    if (!problem) return { ok: false, message: t('They cannot be read.') }
    const number = permissionNumber(problem)
    const text = describePermissionProblem(problem)
    return {
      ok: false,
      message: escapeText(
        number === undefined ? text : t('Permission {number}: {text}', { number, text }),
        200,
      ),
    }
  }
  return {
    ok: true,
    // It compiled without problems, so it has this type.
    grant: { key, permissions: permissions as readonly Permission[], session: compiled.session },
  }
}

/**
 * Whether the text is exactly an origin: HTTPS or localhost, without path, credentials or look-alike letters.
 */
function isOrigin(text: string): boolean {
  if (text.length > 253 || !URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost'))
}

/** Undefined if the text is not base64url of UTF-8 JSON. */
function decode(encoded: string): unknown {
  try {
    if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const reject = (message: string) => ({ ok: false, message }) as const
