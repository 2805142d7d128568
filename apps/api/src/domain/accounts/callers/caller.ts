import { callerName } from '../api-keys/api-key.ts'
import type { CallerContext } from './caller-context.ts'

/** The caller that requests are counted for. */
export type Caller =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'address'; readonly name: string }

/**
 * The API key of a server, otherwise the address as TRUST_PROXY determines it. All visitors share a
 * publishable key: if they were counted together, one visitor could lock out all others.
 */
export const callerOf = ({ apiKey, address }: Pick<CallerContext, 'apiKey' | 'address'>): Caller =>
  apiKey?.kind === 'secret' ? { kind: 'key', name: callerName(apiKey) } : { kind: 'address', name: address }
