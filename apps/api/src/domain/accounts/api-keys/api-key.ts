import { type KeyScope, LanyardError } from '@lanyard/contracts'

/** The API key of a call. */
export interface ApiKey {
  /** A secret key belongs to a server. A publishable key is part of a page, so every visitor can read it. */
  readonly kind: 'secret' | 'publishable'
  /** Keys of the same kind and name count as one caller. */
  readonly name: string
  /** The pages that may use a publishable key. Not used for a secret key. */
  readonly origins: readonly string[]
  /** What it may be used for. Absent: everything that its kind may do. */
  readonly scope?: KeyScope
  /** Keys of a project share their limits. */
  readonly project?: string | undefined
  /** True for the key of the wallet that this service serves: every page of the service may use it. */
  readonly ownPages?: true
  /** Of a key in the database, which may be revoked. */
  readonly id?: string
}

/**
 * A single name for the caller. No key name contains a colon, so a publishable key is never mistaken for a
 * secret one.
 */
export const callerName = ({ kind, name }: ApiKey): string => (kind === 'secret' ? name : `public:${name}`)

/** The name of the request's API key, for policies and budgets. Requests without a key count as one caller. */
export const keyNameOf = ({ apiKey }: { readonly apiKey: ApiKey | undefined }): string =>
  apiKey ? callerName(apiKey) : ''

/** For a request without a valid key, where one is needed. `missing` tells clients that a token would not help. */
export const keyMissing = () =>
  new LanyardError('UNAUTHORIZED', {
    message: 'A valid API key is required.',
    details: { missing: 'apiKey' },
  })
