import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { ApiKey } from '../api-keys/api-key.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** What a request says of who sent it. */
export interface CallerContext {
  readonly services: {
    readonly tokens: Pick<Tokens, 'verify'>
    readonly networks: Networks
    readonly database: Kysely<Database>
  }
  /** The JWT that came as Bearer, not verified yet: `requireUser` does that. */
  readonly userToken: string | undefined
  /** The API key that came with the request, if it is a known one. */
  readonly apiKey: ApiKey | undefined
  /** The caller's, as TRUST_PROXY lets it count: with IPv6 its /64. */
  readonly address: string
}
