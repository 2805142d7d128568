/** Whose call it is, as far as a key shows. */
export interface ApiKey {
  /** A secret key is a server's. A publishable one stands in a page: whoever sees the page has it. */
  readonly kind: 'secret' | 'publishable'
  /** Keys of one kind and name are one caller. */
  readonly name: string
  /** The pages that may use a publishable key; of no meaning for a secret one. */
  readonly origins: readonly string[]
  /** True for the key of the wallet that this service serves: every page of the service's own may use it. */
  readonly ownPages?: true
}

/** One word for the caller. No name has a colon, so that a publishable key is never taken for a secret one. */
export const callerName = ({ kind, name }: ApiKey): string => (kind === 'secret' ? name : `public:${name}`)
