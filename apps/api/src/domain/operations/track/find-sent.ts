import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'

/** An operation that was signed; an unsigned build is nobody's business but its builder's. */
export const findSent = (
  database: Kysely<Database>,
  network: Network,
  userOpHash: Hash,
): Promise<OperationRow | undefined> =>
  database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    .where('network', '=', network.chainId)
    .where('signature', 'is not', null)
    .executeTakeFirst()
