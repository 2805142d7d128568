import type { SenderContext } from './context.ts'
import type { Lease } from './lease.ts'

/** Milliseconds. */
const hour = 3_600_000

/**
 * What an account may still pay for itself within the hour: `relayerLossPerHour` less everything that it signed in
 * the last hour and that its contents do not pay. Those are empty transactions, the shortfall of replacements, and its
 * own calls. Of those with the same nonce at most one is ever mined, so the largest counts. Only the holder of the
 * lease writes such rows, so no other process adds one in the meantime.
 *
 * @param nonce - what was sent with it does not count: the next transaction replaces it
 * @returns wei; negative if the limit was lowered
 */
export async function lossLeft(
  { database, network, now }: Pick<SenderContext, 'database' | 'network' | 'now'>,
  { relayer }: Lease,
  nonce: number,
): Promise<bigint> {
  const rows = await database
    .selectFrom('relayer_transactions')
    .select(({ fn }) => fn.max('loss').as('loss'))
    .where('network', '=', network.chainId)
    .where('relayer', '=', relayer.toLowerCase())
    .where('created_at', '>', new Date(now().getTime() - hour))
    .where('loss', '>', 0n)
    .where('nonce', '<>', nonce)
    .groupBy('nonce')
    .execute()
  return rows.reduce((left, { loss }) => left - BigInt(loss), BigInt(network.config.relayerLossPerHour))
}
