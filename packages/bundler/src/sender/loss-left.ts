import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { SenderContext } from './context.ts'
import type { Lease } from './lease.ts'

/** Milliseconds. */
const hour = 3_600_000

interface OwnCosts {
  readonly network: number
  readonly account: Address
  readonly now: Date
  /** What was sent with it does not count. */
  readonly except?: number
}

/**
 * What an account signed in the last hour that its contents do not pay, at most. Those are empty transactions, the
 * shortfall of replacements, its own calls, and settlements. Of those with the same nonce at most one is ever mined, so
 * the largest counts.
 *
 * @returns wei
 */
export async function sumOwnCosts(
  database: Kysely<Database>,
  { network, account, now, except = -1 }: OwnCosts,
): Promise<bigint> {
  const rows = await database
    .selectFrom('relayer_transactions')
    .select(({ fn }) => fn.max('loss').as('loss'))
    .where('network', '=', network)
    .where('relayer', '=', account.toLowerCase())
    .where('created_at', '>', new Date(now.getTime() - hour))
    .where('loss', '>', 0n)
    .where('nonce', '<>', except)
    .groupBy('nonce')
    .execute()
  return rows.reduce((sum, { loss }) => sum + BigInt(loss), 0n)
}

/**
 * What an account may still pay for itself within the hour. Only the holder of the lease writes such rows, so no other
 * process adds one in the meantime.
 *
 * @param nonce - what was sent with it does not count: the next transaction replaces it
 * @returns wei; negative if the limit was lowered
 */
export const lossLeft = async (
  {
    database,
    network,
    now,
    lossPerHour,
  }: Pick<SenderContext, 'database' | 'network' | 'now' | 'lossPerHour'>,
  { relayer }: Lease,
  nonce: number,
): Promise<bigint> =>
  lossPerHour -
  (await sumOwnCosts(database, { network: network.chainId, account: relayer, now: now(), except: nonce }))
