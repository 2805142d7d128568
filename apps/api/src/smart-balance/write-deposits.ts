import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { applySettlements } from './apply-settlements.ts'
import { applyWithdrawals } from './apply-withdrawals.ts'
import { lockAccount } from './lock-account.ts'
import type { Deposit } from './read-deposit.ts'

/**
 * Writes what final blocks say, in one transaction: a balance that a settlement has lowered and the debit that this
 * settlement pays are never seen apart. What was read at an older block than the ledger has is left out. When the
 * process dies before it, the next reading finds the same again.
 *
 * @param account - in lower case; nothing is written for one that nobody here has
 */
export async function writeDeposits(
  database: Kysely<Database>,
  account: string,
  deposits: readonly Deposit[],
): Promise<void> {
  if (deposits.length === 0) return
  await database.transaction().execute(async (transaction) => {
    if (!(await lockAccount(transaction, account))) return
    for (const deposit of deposits) await writeDeposit(transaction, account, deposit)
  })
}

/** The same for one network, in the transaction of a caller who has locked the account. */
export async function writeDeposit(
  transaction: Transaction<Database>,
  account: string,
  deposit: Deposit,
): Promise<void> {
  if (!(await writeEntry(transaction, account, deposit))) return
  await applySettlements(transaction, account, deposit)
  await applyWithdrawals(transaction, account, deposit)
}

/** False when the ledger has a later block already. */
async function writeEntry(
  transaction: Transaction<Database>,
  account: string,
  { network, block, balance, exiting, exitReadyAt, pinnedSigners, askedSigners }: Deposit,
): Promise<boolean> {
  const entry = {
    balance,
    exiting,
    exit_ready_at: exitReadyAt,
    pinned_signers: JSON.stringify(pinnedSigners),
    asked_signers: JSON.stringify(askedSigners),
    block_number: Number(block.number),
    block_timestamp: block.timestamp,
  }
  const written = await transaction
    .insertInto('smart_balance_ledger')
    .values({ account, network, ...entry })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'network'])
        .doUpdateSet(entry)
        .where('smart_balance_ledger.block_number', '<=', entry.block_number),
    )
    .returning('account')
    .executeTakeFirst()
  return written !== undefined
}
