import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'

/** Marks a sender's refills in final blocks, so that they are not checked again. */
export async function finishRefills(
  database: Kysely<Database>,
  table: 'relayer_refills' | 'gas_top_ups',
  network: Network,
  sender: Address,
): Promise<void> {
  const refills = table as 'gas_top_ups' // both have these columns
  const open = await database
    .selectFrom(`${refills} as refill`)
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
    .select(['refill.txn_hash', 'tx.block_number'])
    .where('refill.network', '=', network.chainId)
    .where('refill.sender', '=', sender.toLowerCase())
    .where('refill.final', '=', false)
    .where('tx.state', '=', 'mined')
    .execute()
  if (open.length === 0) return
  const final = await network.finalizedBlock()
  const done = open.filter(({ block_number }) => block_number !== null && BigInt(block_number) <= final)
  if (done.length === 0) return
  const hashes = done.map(({ txn_hash }) => txn_hash)
  await database.updateTable(refills).set({ final: true }).where('txn_hash', 'in', hashes).execute()
}
