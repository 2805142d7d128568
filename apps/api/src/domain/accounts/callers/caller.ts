import { createHash } from 'node:crypto'
import { findAccount } from '@lanyard/database'
import { callerName } from '../api-keys/api-key.ts'
import type { CallerContext } from './caller-context.ts'
import { findUser } from './require-user.ts'

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
