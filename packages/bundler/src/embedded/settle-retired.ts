import type { Address, LocalAccount } from 'viem'
import { getAddress } from 'viem'
import { settleTransactions } from '../sender/settle-transactions.ts'
import { underLease } from '../sender/under-lease.ts'
import type { EmbeddedContext } from './context.ts'

/**
 * Sees through what relayers have on its way that are not configured any more. That takes no key: their transactions are
 * stored with their signatures, so they are sent again and looked for like all others; what the chain shows lost waits
 * for another relayer. Only a replacement at higher fees would take the key.
 */
export async function settleRetired(
  context: EmbeddedContext,
  relayers: readonly LocalAccount[],
): Promise<void> {
  for (const relayer of await findRetired(context, relayers)) {
    await underLease(context, relayer, (lease) => settleTransactions(context, lease))
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
