import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'

/** Finds a signed operation; an unsigned build is visible only to its builder. */
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
