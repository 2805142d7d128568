import {
  createTransactionSender,
  type SenderSettings,
  sumOwnCosts,
  type TransactionSource,
} from '@lanyard/bundler'
import { closeDebit, type Database, recordSettlementTransaction } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { settlementWindow } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import {
  type Address,
  type Hash,
  type LocalAccount,
  maxUint256,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { logSender } from '../../../platform/metrics/observe.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { type DueDebit, findDebitsOf, findDueDebits, scheduleRetry } from './due-debits.ts'
import { hasOpenSettlements, hasSettlements, prepareSettlement } from './prepare-settlement.ts'

/** Maximum number of orders in one `settleBatch`: larger batches save hardly any gas per order. */
const batchSize = 20

/** What settlements on a network may cost in an hour, wei. */
function settlementLimit({ config }: Network): bigint {
  const { local, relayerLossPerHour, settlementGasPerHour } = config
  if (settlementGasPerHour !== undefined) return BigInt(settlementGasPerHour)
  return local ? maxUint256 : BigInt(relayerLossPerHour) * 10n
}

/** Settles due debits on one source network. */
interface Settler {
  /**
   * One pass: sends what can be settled, tracks sent transactions, and finishes those in final blocks. Any
   * number of processes may call it for one account; only one of them sends at a time.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED; pending transactions are
   * in the table
   */
  settle(): Promise<void>
  /** Whether a pass has anything to do; reads only the database. */
  hasWork(): Promise<boolean>
}

interface SettlerOptions {
  readonly account: LocalAccount
  readonly settings?: Partial<SenderSettings>
}

export function createSettler(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  { account, settings }: SettlerOptions,
): Settler {
  const { database, log, now, checkpoint } = dependencies
  const { chainId } = on.network
  const sender = createTransactionSender(on.network, {
    database,
    account,
    source: settlementSource(dependencies, on, account.address),
    now,
    checkpoint: (step) => checkpoint(`settlement:${step}`),
    lossPerHour: settlementLimit(on.network),
    observe: logSender(log, 'settler'),
    ...(settings && { settings }),
  })
  return {
    async settle() {
      const [sent] = await Promise.allSettled([sender.drive()])
      // Earlier transactions are processed even if nothing can be sent now: the settler's signer may be
      // unavailable.
      await finishSettlements(dependencies, on)
      await closeDebits(dependencies, on)
      if (sent.status === 'rejected') throw sent.reason
      if (sent.value === 'insufficient-funds') {
        log.error({ network: chainId, settler: account.address }, 'the settler has too little to pay for gas')
      }
    },
    hasWork: () => hasOpenDebits(database, chainId),
  }
}

function settlementSource(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  settler: Address,
): TransactionSource {
  const { database, now, checkpoint } = dependencies
  const { chainId } = on.network
  const findDue = (limit: number) => findDueDebits(database, chainId, { now: now(), limit })
  return {
    hasContents: hasSettlements,
    hasOpenContents: hasOpenSettlements,
    async reverted(txnHashes) {
      const debits = (
        await Promise.all(txnHashes.map((txnHash) => findDebitsOf(database, chainId, txnHash)))
      ).flat()
      return async (trx) => {
        // Always in the same order, in which a batch locks them.
        for (const debit of debits.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))) {
          await scheduleRetry({ ...dependencies, database: trx }, chainId, debit, 'Reverted')
        }
      }
    },
    hasWaiting: async () => (await findDue(1)).length > 0,
    async next() {
      // Debits that cannot be settled now are scheduled for a retry, so each iteration picks others.
      for (;;) {
        const due = pickBatch(await findDue(batchSize))
        if (due.length === 0) return undefined
        await checkpoint('settlement:batch-picked')
        const prepared = await prepareSettlement(dependencies, on, settler, due)
        if (prepared) return prepared
      }
    },
    async again(txnHash) {
      const debits = await findDebitsOf(database, chainId, txnHash)
      return debits.length === 0 ? undefined : prepareSettlement(dependencies, on, settler, debits)
    },
  }
}

/** A debit from a reverted transaction is sent alone: it may have caused the revert. */
function pickBatch(due: readonly DueDebit[]): readonly DueDebit[] {
  const [first] = due
  return first?.reverted ? [first] : due.filter(({ reverted }) => !reverted)
}

async function hasOpenDebits(database: Kysely<Database>, network: number): Promise<boolean> {
  const open = await database
    .selectFrom('order_debits')
    .select('order_id')
    .where('network', '=', network)
    .where('state', 'in', ['DUE', 'PARTIAL'])
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (open) return true
  const unfinished = await database
    .selectFrom('settlement_debits as link')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
    .select('link.txn_hash')
    .where('link.network', '=', network)
    .where('link.final', '=', false)
    .where('tx.state', 'in', ['live', 'mined'])
    .limit(1)
    .executeTakeFirst()
  return unfinished !== undefined
}

/**
 * Processes the settler's transactions that are in a final block: the ledger is read at that block, which
 * settles and releases the debits. Debits that are still due are retried later.
 *
 * If the process dies in between, the next pass repeats everything with the same result.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function finishSettlements(
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

/**
 * Ends debits whose settlement window has passed in a final block of their network: LOST when the ledger
 * shows that nothing was taken, otherwise permanently PARTIAL.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function closeDebits(dependencies: SettlementDependencies, { network }: BalanceNetwork): Promise<void> {
  const { database, log, now } = dependencies
  const open = await database
    .selectFrom('order_debits as debit')
    .innerJoin('orders', 'orders.order_id', 'debit.order_id')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .select(['orders.order_id', 'orders.account', 'signed.valid_until'])
    .where('debit.network', '=', network.chainId)
    .where('debit.state', 'in', ['DUE', 'PARTIAL'])
    .where('debit.closed_at', 'is', null)
    .execute()
  if (open.length === 0) return
  const { timestamp } = await network.quorum.final()
  for (const { order_id, account, valid_until } of open) {
    if (valid_until + settlementWindow >= timestamp) continue
    await syncLedger(dependencies, account, [network])
    const closed = await closeDebit(database, { order_id, network: network.chainId }, now())
    if (!closed) continue
    const lost = ((closed.due ?? 0n) - closed.settled_amount).toString()
    log.error({ orderId: order_id, network: network.chainId, lost }, 'the settlement window has closed')
  }
}

/** The settler's balance for gas. Networks that do not answer are absent. */
export function addSettlerGauge(
  metrics: Metrics,
  settlers: readonly { readonly on: BalanceNetwork; readonly address: Address }[],
): void {
  metrics.addGauge({
    name: 'settler_balance_wei',
    help: 'Native balance of the settler, which pays for settlements',
    labels: ['network'],
    async read() {
      const balances = await Promise.all(
        settlers.map(({ on: { network }, address }) =>
          withReadTimeout(
            network,
            network.call((client) => client.getBalance({ address })),
          ).catch(() => undefined),
        ),
      )
      return settlers.flatMap(({ on: { network } }, index) => {
        const balance = balances[index]
        return balance === undefined ? [] : [{ labels: { network: network.chainId }, value: Number(balance) }]
      })
    },
  })
}

/** How much of `settlementGasPerHour` is used, read from the database, so that every replica shows the same. */
export function addSettlementGasGauge(
  { metrics, database, now }: Pick<SmartBalanceServices, 'metrics' | 'database' | 'now'>,
  settlers: readonly { readonly on: BalanceNetwork; readonly address: Address }[],
): void {
  if (settlers.length === 0) return
  metrics.addGauge({
    name: 'settlement_gas_used_ratio',
    help: 'What settlements that were signed within an hour cost at most, as a part of settlementGasPerHour; near 1 they wait',
    labels: ['network'],
    read: () =>
      Promise.all(
        settlers.map(async ({ on: { network }, address: account }) => {
          const spent = await sumOwnCosts(database, { network: network.chainId, account, now: now() })
          return {
            labels: { network: network.chainId },
            value: Number(spent) / Number(settlementLimit(network)),
          }
        }),
      ),
  })
}
