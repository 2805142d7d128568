import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { ApiKey } from '../api-keys/api-key.ts'
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
