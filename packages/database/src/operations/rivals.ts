import { sql } from 'kysely'

/**
 * Of a row of operations, a build: the hash of another operation that has its nonce, or null. Included ones have it, and signed ones that
 * may be. Exempt is the one that it replaces, and what that one has replaced.
 */
export const rivalHash = sql<string | null>`(
  select rival.user_op_hash from operations rival
  where rival.account = operations.account and rival.network = operations.network
    and rival.nonce_key = operations.nonce_key and rival.nonce_sequence = operations.nonce_sequence
    and rival.user_op_hash <> operations.user_op_hash and rival.signature is not null
    and (rival.state = 'included'
      or not rival.final and rival.user_op_hash is distinct from operations.replaces
        and not exists (
          select from operations newer
          where newer.replaces = rival.user_op_hash and newer.signature is not null and not newer.final
        ))
  limit 1)`
