import { callerName } from '../api-keys/api-key.ts'
import type { CallerContext } from './caller-context.ts'

/** The caller that requests are counted for. */
export type Caller =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'address'; readonly name: string }

/**
 * A server's API key, else the address that TRUST_PROXY lets count. A publishable key is everybody's: counted
 * together, one visitor could shut out all others.
 */
export const callerOf = ({ apiKey, address }: Pick<CallerContext, 'apiKey' | 'address'>): Caller =>
  apiKey?.kind === 'secret' ? { kind: 'key', name: callerName(apiKey) } : { kind: 'address', name: address }
