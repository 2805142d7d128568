import { recordSettlementTransaction } from '@lanyard/database'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Hash, parseEventLogs, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { scheduleRetry } from './schedule-retry.ts'

/**
 * Processes the settler's transactions that are in a final block: the ledger is read at that block, which
 * settles and releases the debits. Debits that are still due are retried later.
 *
 * If the process dies in between, the next pass repeats everything with the same result.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function finishSettlements(
  dependencies: SettlementDependencies,
  source: BalanceNetwork,
): Promise<void> {
  const { database, checkpoint } = dependencies
  const { network } = source
  const open = await findUnfinished(dependencies, network.chainId)
  if (open.length === 0) return
  const { number: final } = await network.quorum.final()
  for (const [txnHash, links] of Map.groupBy(open, ({ txn_hash }) => txn_hash)) {
    const receipt = await readReceipt(source, txnHash as Hash) // the column holds 0x and 64 digits
    if (!receipt || receipt.blockNumber > final) continue
    await checkpoint('settlement:final-seen')
    await recordTransaction(dependencies, network.chainId, receipt)
    const accounts = [...new Set(links.map(({ account }) => account))]
    const synced = await Promise.all(accounts.map((account) => syncLedger(dependencies, account, [network])))
    if (synced.some(({ failures }) => failures.size > 0)) continue
    await checkpoint('settlement:ledger-synced')
    await database
      .updateTable('settlement_debits')
      .set({ final: true })
      .where('txn_hash', '=', txnHash)
      .execute()
    for (const link of links) {
      // Changes only debits that are still due.
      await scheduleRetry(dependencies, network.chainId, { orderId: link.order_id, ...link }, 'PartlySettled')
    }
    await checkpoint('settlement:finished')
  }
}

const findUnfinished = ({ database }: SettlementDependencies, network: number) =>
  database
    .selectFrom('settlement_debits as link')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
    .innerJoin('orders', 'orders.order_id', 'link.order_id')
    .innerJoin('order_debits as debit', (join) =>
      join.onRef('debit.order_id', '=', 'link.order_id').onRef('debit.network', '=', 'link.network'),
    )
    .select(['link.txn_hash', 'link.order_id', 'orders.account', 'debit.attempts'])
    .where('link.network', '=', network)
    .where('link.final', '=', false)
    .where('tx.state', '=', 'mined')
    .orderBy('tx.nonce')
    .execute()

const readReceipt = ({ network }: BalanceNetwork, hash: Hash) =>
  network.call((client) =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    }),
  )

/** Records the transaction in the debits that it settled. */
async function recordTransaction(
  { database }: SettlementDependencies,
  network: number,
  { logs, transactionHash }: TransactionReceipt,
): Promise<void> {
  const settled = parseEventLogs({ abi: smartBalanceAbi, eventName: 'OrderSettled', logs })
  for (const { args } of settled) {
    await recordSettlementTransaction(database, network, {
      orderHash: args.orderHash,
      txnHash: transactionHash,
    })
  }
}
