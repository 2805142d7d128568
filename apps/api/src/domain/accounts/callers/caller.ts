import { createHash } from 'node:crypto'
import { LanyardError, memo } from '@lanyard/contracts'
import { type Database, findAccount } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import ipaddr from 'ipaddr.js'
import type { Kysely } from 'kysely'
import { type ApiKey, callerName } from '../api-keys/api-key.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** What a request reveals about its sender. */
export interface CallerContext {
  readonly services: {
    readonly tokens: Pick<Tokens, 'verify'>
    readonly networks: Networks
    readonly database: Kysely<Database>
  }
  /** The JWT of the Bearer header, not verified yet: `requireUser` verifies it. */
  readonly userToken: string | undefined
  /** The API key of the request, if it is a known one. */
  readonly apiKey: ApiKey | undefined
  /** The caller's address as TRUST_PROXY determines it; for IPv6, its /64. */
  readonly address: string
}

/** One request may need the user several times. */
const verify = memo(async ({ services, userToken }: CallerContext) => {
  if (userToken !== undefined) return services.tokens.verify(userToken)
  throw new LanyardError('UNAUTHORIZED', {
    message: "This is private: sign in and send the user's token as `Authorization: Bearer <token>`.",
  })
})

/**
 * Requires the user whose token came with the request, and who signed for it: a token that a login gave only reads.
 *
 * @throws UNAUTHORIZED; FORBIDDEN for a token that only reads
 */
export async function requireUser(context: CallerContext): Promise<string> {
  const { userId, isReader } = await verify(context)
  if (!isReader) return userId
  throw new LanyardError('FORBIDDEN', {
    message: 'This token comes from a login, and only reads. Sign in with a passkey or an EOA.',
  })
}

/**
 * Requires the user whose token came with the request, also if it only reads. Only for what changes nothing.
 *
 * @throws UNAUTHORIZED
 */
export const requireReader = async (context: CallerContext): Promise<string> => (await verify(context)).userId

/** The user as {@link requireReader}; undefined without a token. An invalid token is still an error. */
export async function findReader(context: CallerContext): Promise<string | undefined> {
  return context.userToken === undefined ? undefined : requireReader(context)
}

/**
 * The user as {@link requireUser}; undefined without a token. An invalid token is still an error, and so is one that only
 * reads.
 */
export async function findUser(context: CallerContext): Promise<string | undefined> {
  return context.userToken === undefined ? undefined : requireUser(context)
}

/**
 * A host may use any address of its own network, which is a /64 (RFC 4291 §2.5.4): four groups of 16 bits.
 */
const networkGroups = 4

/**
 * Some proxies append the caller's port: `203.0.113.7:5678`, `[2001:db8::1]:5678`; some write only the
 * brackets.
 */
const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/]

/**
 * The key under which requests from an address are counted: the address, or for IPv6 its /64.
 *
 * @param named - the address that the proxies report
 * @param connected - the address of the connection, used when the other is not an address
 */
export function addressKey(named: string, connected: string | undefined): string {
  return keyOf(named) ?? keyOf(connected ?? '') ?? 'unknown'
}

function keyOf(text: string): string | undefined {
  const address = withPort.reduce((rest, form) => form.exec(rest)?.[1] ?? rest, text)
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address) // an IPv4 address in its IPv6 form is that IPv4 address
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/* Who calls, as each part of the service counts or names it. All of them begin with `callerOf`. */

/** The caller that requests are counted for. */
export type Caller =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'address'; readonly name: string }

type Sender = Pick<CallerContext, 'apiKey' | 'address'>

/**
 * The API key of a server, or its project, so that nobody gets more by making more keys; otherwise the address as
 * TRUST_PROXY determines it. All visitors share a publishable key: if they were counted together, one visitor
 * could lock out all others.
 */
export function callerOf({ apiKey, address }: Sender): Caller {
  if (apiKey?.kind !== 'secret') return { kind: 'address', name: address }
  const { project } = apiKey
  // No key name contains a colon.
  return { kind: 'key', name: project === undefined ? callerName(apiKey) : `project:${project}` }
}

/**
 * The group of addresses that one party can easily control: a /24, or a /48 of IPv6.
 *
 * @param name - `203.0.113.7`, or `2001:db8:0:1::/64`
 */
export function groupOf({ kind, name }: Caller): string {
  if (kind === 'key') return name
  return name.includes(':') ? name.split(':').slice(0, 3).join(':') : name.split('.').slice(0, 3).join('.')
}

/**
 * Marks an operation with who sends it: the API key of a server, otherwise the address. It is kept until the
 * operation is final, so that a caller answers for gas that relayers lose.
 */
export function sentBy<R extends object>(context: Sender, row: R): R & { readonly sent_by: string } {
  const { kind, name } = callerOf(context)
  return { ...row, sent_by: `${kind}:${name}` }
}

/**
 * Who asks, for budgets that no number of free accounts may stretch: a caller's address, whatever accounts and
 * tokens it has. A server with a secret key asks for its users, so each account counts by itself.
 *
 * @returns a hash, because rows keep it for as long as their budgets
 */
export function budgetCallerOf(context: Sender, account: string): string {
  const { kind, name } = callerOf(context)
  const caller = kind === 'key' ? `key:${name} ${account.toLowerCase()}` : `address:${name}`
  return createHash('sha256').update(caller).digest('hex').slice(0, 32)
}

/**
 * Who requests a build: a server, by its key; the wallet's user, by the token; any other caller, by key and
 * address. Builds of one builder do not affect those of another.
 */
export async function builderOf(
  context: CallerContext,
  { address }: { readonly address: string },
): Promise<string> {
  const { apiKey, services } = context
  const caller = callerOf(context)
  if (caller.kind === 'key') return `key:${caller.name}`
  // An invalid token is ignored: no build needs one.
  const userId = await findUser(context).catch(() => undefined)
  const account = userId === undefined ? undefined : await findAccount(services.database, address)
  if (account && account.user_id === userId) return `user:${userId}`
  return `address:${caller.name} ${apiKey ? callerName(apiKey) : ''}`.trimEnd()
}

interface KeyedRequest {
  readonly isProduction: boolean
  /** Of the parsed input. */
  readonly requestHash: string
  /** The members of the input that name its account. */
  readonly account: readonly unknown[]
}

/**
 * The owner of an Idempotency-Key: the API key's name and the token's user. A request may have both (a
 * browser app with a publishable key and a signed-in user), one or none. No caller gets another caller's
 * stored answer.
 *
 * A publishable key is public, so it does not identify a caller, and in production no key at all does not
 * either. The request itself then belongs to the scope: whoever guesses a key finds nothing and blocks
 * nothing with another request, and a retry from another address is still the same caller. Without any keys
 * in development, the account identifies the caller, so that a mistake is found: another request with the
 * same key.
 *
 * @throws UNAUTHORIZED for a token that does not verify
 */
export async function idempotencyCallerOf(
  context: CallerContext,
  { isProduction, requestHash, account }: KeyedRequest,
): Promise<string> {
  const { apiKey } = context
  const user = await findUser(context)
  const isKnown = user !== undefined || apiKey?.kind === 'secret'
  const isAnyone = apiKey !== undefined || isProduction
  return JSON.stringify({
    key: apiKey && callerName(apiKey),
    user,
    ...(!isKnown && (isAnyone ? { request: requestHash } : { account })),
  })
}
