/**
 * Kinds of callers. The last two have a publishable key and a user token: of the user whose wallet or passkey
 * the request concerns, or of another user. If the service accepts callers without keys, `anonymous` has the
 * rights of `publishable`.
 */
export const callers = ['anonymous', 'publishable', 'secret', 'otherUser', 'owner'] as const

export type CallerKind = (typeof callers)[number]

/**
 * What an API key may be used for, besides what is open to anyone. `full`: everything that its kind may do.
 * `read`: what changes nothing. `support`: of that, what answers questions of users. `metrics`: only `/metrics`.
 */
export const keyScopes = ['full', 'read', 'support', 'metrics'] as const

export type KeyScope = (typeof keyScopes)[number]

/** The least scope that an endpoint accepts. */
export type NeededScope = Exclude<KeyScope, 'metrics'>

const included = {
  full: ['full', 'read', 'support'],
  read: ['read', 'support'],
  support: ['support'],
  metrics: [],
} as const satisfies Record<KeyScope, readonly NeededScope[]>

/** Whether a key with this scope may call an endpoint that needs another. */
export const includesScope = (scope: KeyScope, needed: NeededScope): boolean =>
  included[scope].some((one) => one === needed)

/**
 * What a caller gets.
 *
 * - `allowed`: the result.
 * - `needsKey`: 401, unless the service accepts callers without keys.
 * - `needsToken`: 401.
 * - `public`: the public part. The private part requires the user's token; for anyone else it does not exist.
 * - `hidden`: the same response as for something that does not exist.
 * - `own`: the caller's own data. The token identifies the user, and no request can name another user.
 * - `needsAuthority`: 401 without a token, 403 with another user's, unless every network is a local one
 *   (`requireOrderAuthority`).
 * - `withoutOrder`: `allowed`, but a body with an order is `needsAuthority`.
 */
export type Verdict =
  | 'allowed'
  | 'needsKey'
  | 'needsToken'
  | 'public'
  | 'hidden'
  | 'own'
  | 'needsAuthority'
  | 'withoutOrder'

export type Access = Readonly<Record<CallerKind, Verdict>>

/** Open to anyone, because load balancers have no keys. */
export const open = {
  anonymous: 'allowed',
  publishable: 'allowed',
  secret: 'allowed',
  otherUser: 'allowed',
  owner: 'allowed',
} as const satisfies Access

/** Needed by every app for every user: the data is public on chain anyway, or a signature decides. */
export const withKey = { ...open, anonymous: 'needsKey' } as const satisfies Access

/** Belongs to the user of the token. */
export const ofUser = {
  anonymous: 'needsKey',
  publishable: 'needsToken',
  secret: 'needsToken',
  otherUser: 'own',
  owner: 'allowed',
} as const satisfies Access

/** Belongs to a user that the request names. */
export const ofNamedUser = { ...ofUser, otherUser: 'hidden' } as const satisfies Access

/** The owners of an account are public; which of them are a user's passkeys is not. */
export const publicInPart = {
  anonymous: 'needsKey',
  publishable: 'public',
  secret: 'public',
  otherUser: 'public',
  owner: 'allowed',
} as const satisfies Access

/** Reserves part of a balance for a while. */
export const reserving = {
  anonymous: 'needsKey',
  publishable: 'needsAuthority',
  secret: 'allowed',
  otherUser: 'needsAuthority',
  owner: 'allowed',
} as const satisfies Access

/** Also reserves part of a balance if there is an order. */
export const reservingWithOrder = {
  anonymous: 'needsKey',
  publishable: 'withoutOrder',
  secret: 'allowed',
  otherUser: 'withoutOrder',
  owner: 'allowed',
} as const satisfies Access
