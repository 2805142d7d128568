import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

interface RecentQuery {
  readonly state?: 'waiting' | 'included' | 'reverted' | 'dropped' | undefined
  readonly network?: number | undefined
  /** The last operation of the previous page, which may be among the results again. */
  readonly before?: { readonly at: string } | undefined
  readonly networks: readonly number[]
  readonly limit: number
}

/** Events that are looked at: an operation has up to three. */
const eventsPerOperation = 4

/**
 * Hashes of the latest operations: the waiting ones of each network, and those with the last results. Operations have
 * no index by time over all accounts, which every submission would pay for; these two have.
 */
export async function findRecentHashes(
  database: Kysely<Database>,
  { state, network, before, networks, limit }: RecentQuery,
): Promise<readonly string[]> {
  const chosen = network === undefined ? networks : [network]
  const until = before === undefined ? undefined : new Date(before.at)
  const waiting =
    state === undefined || state === 'waiting'
      ? chosen.map((chainId) =>
          database
            .selectFrom('operations')
            .select('user_op_hash as hash')
            .where('network', '=', chainId)
            .where('final', '=', false)
            .where('state', '<>', 'included')
            .where('signed_at', 'is not', null)
            .$if(until !== undefined, (query) => query.where('signed_at', '<=', until ?? null))
            .orderBy('signed_at', 'desc')
            .limit(limit)
            .execute(),
        )
      : []
  const types = {
    included: ['operation.included'],
    reverted: ['operation.reverted'],
    dropped: ['operation.dropped', 'operation.replaced'],
    waiting: [],
    all: ['operation.included', 'operation.reverted', 'operation.dropped', 'operation.replaced'],
  }[state ?? 'all']
  const finished =
    types.length === 0
      ? []
      : database
          .selectFrom('events')
          .select(sql<string>`data ->> 'userOpHash'`.as('hash'))
          .where('type', 'in', types)
          .$if(network !== undefined, (query) => query.where('network', '=', network ?? 0))
          .$if(until !== undefined, (query) => query.where('created_at', '<=', until ?? new Date()))
          .orderBy('created_at', 'desc')
          .limit(limit * eventsPerOperation)
          .execute()
  const [open, ended] = await Promise.all([Promise.all(waiting), finished])
  return [...new Set([...open.flat(), ...ended].map(({ hash }) => hash))]
}
