import { closeCosignatures, type Database, openDebitStates } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { lockAccount } from '../../accounts/accounts/lock-account.ts'
import { applySettlements } from './apply-settlements.ts'
import type { Deposit } from './read-deposit.ts'

/**
 * Writes the values of final blocks, in one transaction: a balance that a settlement reduced and the debit
 * that it settled always change together. Values from an older block than the ledger's are skipped. If the
 * process dies first, the next reading finds the same values again.
 *
 * @param account - in lower case; nothing is written for an account that this service does not have
 */
export async function writeDeposits(
  database: Kysely<Database>,
  account: string,
  deposits: readonly Deposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await database.transaction().execute(async (transaction) => {
    if (!(await lockAccount(transaction, account))) return
    const written = await writeEntries(transaction, account, deposits)
    const bound = await findBoundNetworks(transaction, account)
    for (const deposit of deposits) {
      const { network } = deposit
      if (written.has(network) && bound.has(network)) await applyDeposit(transaction, account, deposit)
    }
  })
}

/** Writes the values of one network, in the transaction of a caller who has locked the account. */
export async function writeDeposit(
  transaction: Transaction<Database>,
  account: string,
  deposit: Deposit,
): Promise<void> {
  const written = await writeEntries(transaction, account, [deposit])
  if (written.has(deposit.network)) await applyDeposit(transaction, account, deposit)
}

async function applyDeposit(
  transaction: Transaction<Database>,
  account: string,
  deposit: Deposit,
): Promise<void> {
  await applySettlements(transaction, account, deposit)
  const { network, block, usedWithdrawals } = deposit
  await closeCosignatures(transaction, {
    account,
    network,
    timestamp: block.timestamp,
    used: [...usedWithdrawals],
  })
}

/** The networks on which the account has something open; elsewhere a final block only changes the balance. */
async function findBoundNetworks(
  transaction: Transaction<Database>,
  account: string,
): Promise<ReadonlySet<number>> {
  const rows = await transaction
    .selectFrom('order_debits')
    .innerJoin('orders', 'orders.order_id', 'order_debits.order_id')
    .select('order_debits.network')
    .where('orders.account', '=', account)
    .where('orders.closed_at', 'is', null)
    .where('order_debits.state', 'in', openDebitStates)
    .union(
      transaction
        .selectFrom('orders')
        .select('output_network as network')
        .where('account', '=', account)
        .where('withdrawal_state', '=', 'open'),
    )
    .execute()
  return new Set(rows.map(({ network }) => network))
}

/**
 * Uses one statement for any number of networks.
 *
 * @returns the deposits for which the ledger had no later block
 */
async function writeEntries(
  transaction: Transaction<Database>,
  account: string,
  deposits: readonly Deposit[],
): Promise<ReadonlySet<number>> {
  const written = await transaction
    .insertInto('smart_balance_ledger')
    .values(deposits.map((deposit) => ({ account, ...toEntry(deposit) })))
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'network'])
        .doUpdateSet(({ ref }) => ({
          balance: ref('excluded.balance'),
          exiting: ref('excluded.exiting'),
          exit_ready_at: ref('excluded.exit_ready_at'),
          pinned_signers: ref('excluded.pinned_signers'),
          asked_signers: ref('excluded.asked_signers'),
          block_number: ref('excluded.block_number'),
          block_timestamp: ref('excluded.block_timestamp'),
        }))
        .whereRef('smart_balance_ledger.block_number', '<=', 'excluded.block_number'),
    )
    .returning('network')
    .execute()
  return new Set(written.map(({ network }) => network))
}

const toEntry = ({
  network,
  block,
  balance,
  exiting,
  exitReadyAt,
  pinnedSigners,
  askedSigners,
}: Deposit) => ({
  network,
  balance,
  exiting,
  exit_ready_at: exitReadyAt,
  pinned_signers: JSON.stringify(pinnedSigners),
  asked_signers: JSON.stringify(askedSigners),
  block_number: Number(block.number),
  block_timestamp: block.timestamp,
})
