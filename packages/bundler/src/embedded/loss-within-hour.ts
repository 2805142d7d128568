import type { Lease } from '../sender/lease.ts'
import type { EmbeddedContext } from './context.ts'

/** Milliseconds. */
const hour = 3_600_000

/**
 * The most that a relayer's replacements of the last hour can cost it. Of those with the same nonce at most one
 * is ever mined, so the largest counts. Only the holder of the lease writes such rows, so no other process adds
 * one in the meantime.
 *
 * @param except - a nonce whose earlier replacements the next one replaces
 * @returns wei
 */
export async function lossWithinHour(
  { database, network, now }: EmbeddedContext,
  { relayer }: Lease,
  except: number,
): Promise<bigint> {
  const rows = await database
    .selectFrom('relayer_transactions')
    .select(({ fn }) => fn.max('loss').as('loss'))
    .where('network', '=', network.chainId)
    .where('relayer', '=', relayer.toLowerCase())
    .where('created_at', '>', new Date(now().getTime() - hour))
    .where('loss', '>', 0n)
    .where('nonce', '<>', except)
    .groupBy('nonce')
    .execute()
  return rows.reduce((sum, { loss }) => sum + BigInt(loss), 0n)
}
