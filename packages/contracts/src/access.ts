/**
 * Who calls. The last two come with a publishable key and the token of a user: the one whose wallet or passkey the
 * request is about, or another. Where the service takes callers without keys, `anonymous` may what `publishable` may.
 */
export const callers = ['anonymous', 'publishable', 'secret', 'otherUser', 'owner'] as const

export type CallerKind = (typeof callers)[number]

/**
 * What a caller gets.
 *
 * - `allowed`: the answer.
 * - `needsKey`: 401, unless the service takes callers without keys.
 * - `needsToken`: 401.
 * - `public`: what is public. What is private to the user takes the user's token, and is to anyone else as if it
 *   did not exist.
 * - `hidden`: the answer that what does not exist gets.
 * - `own`: the caller's own, since the token says whose it is; no request can name another's.
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

/** Anyone, since balancers have no keys. */
export const open = {
  anonymous: 'allowed',
  publishable: 'allowed',
  secret: 'allowed',
  otherUser: 'allowed',
  owner: 'allowed',
} as const satisfies Access

/** What every app needs for every user: on chain it is public anyway, or a signature decides. */
export const withKey = { ...open, anonymous: 'needsKey' } as const satisfies Access

/** What belongs to the user that the token names. */
export const ofUser = {
  anonymous: 'needsKey',
  publishable: 'needsToken',
  secret: 'needsToken',
  otherUser: 'own',
  owner: 'allowed',
} as const satisfies Access

/** Something of a user that the request names. */
export const ofNamedUser = { ...ofUser, otherUser: 'hidden' } as const satisfies Access

/** Owners of an account are public; which of a user's passkeys they are is not. */
export const publicInPart = {
  anonymous: 'needsKey',
  publishable: 'public',
  secret: 'public',
  otherUser: 'public',
  owner: 'allowed',
} as const satisfies Access

/** It holds part of a balance for a while. */
export const reserving = {
  anonymous: 'needsKey',
  publishable: 'needsAuthority',
  secret: 'allowed',
  otherUser: 'needsAuthority',
  owner: 'allowed',
} as const satisfies Access

/** With an order it does so, too. */
export const reservingWithOrder = {
  anonymous: 'needsKey',
  publishable: 'withoutOrder',
  secret: 'allowed',
  otherUser: 'withoutOrder',
  owner: 'allowed',
} as const satisfies Access
