import type { endpoints } from '@lanyard/contracts'

type Table = typeof endpoints

/** `noun.verb` of every declared endpoint: the path of its tRPC procedure. */
export type EndpointName = {
  [Noun in keyof Table & string]: `${Noun}.${keyof Table[Noun] & string}`
}[keyof Table & string]

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
const open = {
  anonymous: 'allowed',
  publishable: 'allowed',
  secret: 'allowed',
  otherUser: 'allowed',
  owner: 'allowed',
} as const satisfies Access

/** What every app needs for every user: on chain it is public anyway, or a signature decides. */
const withKey = { ...open, anonymous: 'needsKey' } as const satisfies Access

/** What belongs to the user whom the token names. */
const ofUser = {
  anonymous: 'needsKey',
  publishable: 'needsToken',
  secret: 'needsToken',
  otherUser: 'own',
  owner: 'allowed',
} as const satisfies Access

/** Something of a user that the request names. */
const ofNamedUser = { ...ofUser, otherUser: 'hidden' } as const satisfies Access

/** Owners of an account are public; which of a user's passkeys they are is not. */
const publicInPart = {
  anonymous: 'needsKey',
  publishable: 'public',
  secret: 'public',
  otherUser: 'public',
  owner: 'allowed',
} as const satisfies Access

/** It holds part of a balance for a while. */
const reserving = {
  anonymous: 'needsKey',
  publishable: 'needsAuthority',
  secret: 'allowed',
  otherUser: 'needsAuthority',
  owner: 'allowed',
} as const satisfies Access

/** With an order it does so, too. */
const reservingWithOrder = {
  anonymous: 'needsKey',
  publishable: 'withoutOrder',
  secret: 'allowed',
  otherUser: 'withoutOrder',
  owner: 'allowed',
} as const satisfies Access

/**
 * Who may call what. Both transports ask it before anything is read (`requireAccess`), and procedures do the rest where
 * the answer depends on what a request names; a test asks every cell of the running service. An endpoint that has no
 * line here does not compile.
 */
export const accessTable = {
  'system.health': open,
  'system.networks': withKey,

  'login.message': withKey,
  'login.verify': withKey,
  'webauthn.registerOptions': withKey,
  'webauthn.registerVerify': withKey,
  'webauthn.authenticateOptions': withKey,
  'webauthn.authenticateVerify': withKey,
  'webauthn.discoverOptions': withKey,
  'webauthn.discoverVerify': withKey,

  'webauthn.credentials': ofUser,
  'webauthn.credentialOptions': ofUser,
  'webauthn.credentialVerify': ofUser,
  'webauthn.credentialRemove': ofNamedUser,

  'user.details': withKey,
  'user.search': withKey,
  'user.checkUsername': withKey,

  'owner.list': publicInPart,
  'owner.add': publicInPart,
  'owner.remove': publicInPart,
  'owner.recoveryKit': withKey,

  'wallet.activity': withKey,
  'wallet.balances': withKey,
  'wallet.transfers': withKey,
  'wallet.faucet': withKey,

  'smartAccount.create': withKey,
  'smartAccount.gasFees': withKey,
  'smartAccount.build': reservingWithOrder,
  'smartAccount.submit': withKey,
  'smartAccount.status': withKey,
  'webauthn.transactionOptions': reservingWithOrder,
  'webauthn.transactionVerify': withKey,

  'message.prepare': withKey,
  'message.finish': withKey,
  'message.check': withKey,
  'webauthn.messageOptions': withKey,
  'webauthn.messageVerify': withKey,

  'sessionKey.list': withKey,
  'sessionKey.enable': withKey,
  'sessionKey.disable': withKey,
  'sessionKey.check': withKey,

  'smartBalance.getBalance': withKey,
  'smartBalance.getQuote': withKey,
  'smartBalance.computeSolution': reserving,
  'smartBalance.terms': withKey,
  'smartBalance.deposit': withKey,
  'smartBalance.deposits': withKey,
  'smartBalance.exit': withKey,
  'smartBalance.order': withKey,
  'smartBalance.orders': withKey,
} as const satisfies Record<EndpointName, Access>

/** The line of a procedure; undefined for a name that no procedure has. */
export const accessOf = (name: string): Access | undefined =>
  Object.hasOwn(accessTable, name) ? accessTable[name as EndpointName] : undefined // it has this member
