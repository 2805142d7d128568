import { createClient } from './generated/client/index.ts'
import { createOperations, type Operations } from './generated/operations.ts'

export interface LanyardClientOptions {
  /** The service's URL, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Bundle or package name of an app on a phone. A publishable key of an app (`app:com.example.wallet`) expects it. */
  readonly appId?: string
  /** A user's JWT, or a function that is called before each request. */
  readonly token?: string | (() => string | undefined)
  /** Default: the platform's fetch. */
  readonly fetch?: typeof globalThis.fetch
}

/** Every endpoint as a typed method, named as in the service's table. */
export type LanyardClient = Operations

/**
 * A client of the service's REST interface, for Node and browsers.
 *
 * @example
 * const lanyard = createLanyardClient({ baseUrl: 'http://127.0.0.1:3000' })
 * const { wallet } = await lanyard.smartAccount.create({ eoaAddress })
 */
export function createLanyardClient({
  baseUrl,
  apiKey,
  appId,
  token,
  fetch,
}: LanyardClientOptions): LanyardClient {
  const readToken = () => (typeof token === 'function' ? token() : token)
  const client = createClient({
    baseUrl: baseUrl.replace(/\/$/, ''),
    auth: ({ type }) => (type === 'apiKey' ? apiKey : readToken()),
    ...(appId !== undefined && { headers: { 'x-app-id': appId } }),
    ...(fetch && { fetch }),
  })
  return createOperations(client)
}
