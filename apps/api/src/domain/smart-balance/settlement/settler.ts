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

/** Orders of one `settleBatch`: beyond this an order gets hardly cheaper. */
const batchSize = 20

/** Settles what is due on one source network. */
export interface Settler {
  /**
   * One pass: sends what can be settled, looks after what was sent, ends what a final block has. Any number of
   * processes may call it for one account; one at a time sends.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED; what is on its way is in the table
   */
  settle(): Promise<void>
  /** Whether a pass has anything to look at; asks the database only. */
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
      // What was sent before goes on, although nothing can be sent now: the settler's signer may be away.
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
        // In one order always, as they are locked for a batch.
        for (const debit of debits.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))) {
          await scheduleRetry({ ...dependencies, database: trx }, chainId, debit, 'Reverted')
        }
      }
    },
    hasWaiting: async () => (await findDue(1)).length > 0,
    async next() {
      // Debits that cannot be settled now are scheduled for a retry, so each round looks at others.
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

/** One that was in a transaction that reverted goes alone: it may have been at fault. */
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
