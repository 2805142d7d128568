import type { Address, LocalAccount } from 'viem'
import { getAddress } from 'viem'
import { settleTransactions } from '../sender/settle-transactions.ts'
import { underLease } from '../sender/under-lease.ts'
import type { EmbeddedContext } from './context.ts'

/** Relayers that have transactions on their way and are not configured any more. */
export interface RetiredRelayers {
  /**
   * Sees their transactions through. That takes no key: they are stored with their signatures, so they are sent again and
   * looked for like all others; what the chain shows lost waits for another relayer. Only a replacement at higher fees
   * would take the key.
   */
  settle(): Promise<void>
}

/** Milliseconds until one is looked for again where there was none: only a change of the configuration makes one. */
const pause = 5_000

/** @param relayers - those that are configured */
export function retiredRelayers(
  context: EmbeddedContext,
  relayers: readonly LocalAccount[],
): RetiredRelayers {
  let next = 0
  return {
    async settle() {
      const now = context.now().getTime()
      if (now < next) return
      const retired = await findRetired(context, relayers)
      if (retired.length === 0) next = now + pause
      for (const relayer of retired) {
        await underLease(context, relayer, (lease) => settleTransactions(context, lease))
      }
    },
  }
}

async function findRetired(
  { database, network, hasOpenContents }: EmbeddedContext,
  relayers: readonly LocalAccount[],
): Promise<Address[]> {
  const rows = await database
    .selectFrom('relayer_transactions as tx')
    // Not the settler's, which are in the same table.
    .innerJoin('relayer_transaction_operations as link', 'link.txn_hash', 'tx.txn_hash')
    .select('tx.relayer')
    .distinct()
    .where('tx.network', '=', network.chainId)
    .where(
      'tx.relayer',
      'not in',
      relayers.map(({ address }) => address.toLowerCase()),
    )
    .where((eb) =>
      eb.or([eb('tx.state', '=', 'live'), eb.and([eb('tx.state', '=', 'mined'), hasOpenContents])]),
    )
    .execute()
  return rows.map(({ relayer }) => getAddress(relayer))
}
