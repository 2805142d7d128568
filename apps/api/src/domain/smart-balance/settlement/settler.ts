import { createTransactionSender, type SenderSettings, type TransactionSource } from '@lanyard/bundler'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address, LocalAccount } from 'viem'
import { closeDebits } from './close-debits.ts'
import type { SettlementDependencies } from './dependencies.ts'
import { type DueDebit, findDebitsOf, findDueDebits } from './due-debits.ts'
import { finishSettlements } from './finish-settlements.ts'
import type { BalanceNetwork } from './networks.ts'
import { prepareSettlement } from './prepare-settlement.ts'
import { scheduleRetry } from './schedule-retry.ts'
import { hasOpenSettlements, hasSettlements } from './settlement-contents.ts'

/** Maximum number of orders in one `settleBatch`: larger batches save hardly any gas per order. */
const batchSize = 20

/** Settles due debits on one source network. */
export interface Settler {
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
