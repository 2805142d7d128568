import { type Database, olderThan } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** What an operator filters by; several of the stored states are one to a person. */
export const shownStates = ['waiting', 'included', 'reverted', 'dropped'] as const

interface RecentQuery {
  readonly state?: (typeof shownStates)[number] | undefined
  readonly network?: number | undefined
  /** The last operation of the previous page. */
  readonly before?: { readonly at: string; readonly id: string } | undefined
  readonly networks: readonly number[]
  readonly limit: number
}

/**
 * Hashes of the operations that were signed last, of each network and each kind the latest; the caller sorts them. Operations
 * have no index by time over all of them, which every submission would pay for: open, included, final and failed ones have
 * one each.
 */
export async function findRecentHashes(
  database: Kysely<Database>,
  { state, network, before, networks, limit }: RecentQuery,
): Promise<readonly string[]> {
  const end = before && { at: new Date(before.at), id: before.id }
  const latest = (chainId: number) =>
    database
      .selectFrom('operations')
      .select('user_op_hash as hash')
      .where('network', '=', chainId)
      .where('signed_at', 'is not', null)
      .$if(end !== undefined, (query) =>
        query.where(olderThan({ time: 'signed_at', id: 'user_op_hash' }, end ?? { at: new Date() })),
      )
      .orderBy('signed_at', 'desc')
      .orderBy('user_op_hash', 'desc')
      .limit(limit)
  // As literals, so that the planner sees which partial index fits.
  const open = (chainId: number) =>
    latest(chainId).where('final', '=', sql.lit(false)).where('state', '<>', sql.lit('included'))
  const included = (chainId: number) =>
    latest(chainId).where('final', '=', sql.lit(false)).where('state', '=', sql.lit('included'))
  const final = (chainId: number) => latest(chainId).where('final', '=', sql.lit(true))
  const failed = (chainId: number, stored: 'dropped' | 'expired' | 'included') =>
    latest(chainId)
      .where('state', '=', sql.lit(stored))
      .where(sql<boolean>`(state in ('dropped', 'expired') or success = false)`)
  const queriesOf = (chainId: number) => {
    switch (state) {
      case undefined:
        return [open(chainId), included(chainId), final(chainId)]
      case 'waiting':
        return [open(chainId).where('state', 'in', ['submitting', 'submitted'])]
      case 'included':
        return [included(chainId), final(chainId).where('state', '=', 'included')].map((query) =>
          query.where('success', '=', true),
        )
      case 'reverted':
        return [failed(chainId, 'included')]
      case 'dropped':
        return [failed(chainId, 'dropped'), failed(chainId, 'expired')]
    }
  }
  const chosen = network === undefined ? networks : [network]
  const found = await Promise.all(chosen.flatMap(queriesOf).map((query) => query.execute()))
  return [...new Set(found.flat().map(({ hash }) => hash))]
}
