import {
  closeCosignatures,
  type Database,
  lockAccount,
  type OrderDebitRow,
  type OrderRow,
  openDebitStates,
  settleDebit,
} from '@lanyard/database'
import { type OrderRecord, settlementWindow } from '@lanyard/smart-balance'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
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
  requestedSigners,
}: Deposit) => ({
  network,
  balance,
  exiting,
  exit_ready_at: exitReadyAt,
  pinned_signers: JSON.stringify(pinnedSigners),
  asked_signers: JSON.stringify(requestedSigners),
  block_number: Number(block.number),
  block_timestamp: block.timestamp,
})

interface OpenDebit extends Pick<OrderDebitRow, 'order_id' | 'amount' | 'fail_fee' | 'state' | 'due'> {
  readonly order_state: OrderRow['state']
  /** The operations that the operator signed for the order: at most one of them is ever included. */
  readonly operations: readonly { readonly orderHash: Hex; readonly validUntil: number }[]
}

/**
 * Applies the settlements of an account's debits in a final block. `PARTIAL` may still become `SETTLED`: the
 * rest stays due and held while the order may be settled.
 */
async function applySettlements(
  transaction: Transaction<Database>,
  account: string,
  { network, block, settled }: Deposit,
): Promise<void> {
  for (const debit of await findOpenDebits(transaction, account, network)) {
    const change = changeOf(debit, settled, block.timestamp)
    if (!change) continue
    await settleDebit(transaction, { order_id: debit.order_id, network }, change)
  }
}

type Change = Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount'>

function changeOf(
  { amount, fail_fee, state, due: proven, order_state, operations }: OpenDebit,
  settled: ReadonlyMap<Hex, OrderRecord>,
  timestamp: number,
): Change | undefined {
  const found = operations
    .map(({ orderHash }) => settled.get(orderHash))
    .find((one) => one !== undefined && one.amount > 0n)
  if (found) {
    const due = proven ?? (found.outcome === 'failed' ? fail_fee : amount)
    return { state: found.amount < due ? 'PARTIAL' : 'SETTLED', due, settled_amount: found.amount }
  }
  // Settlement.sol rejects later settlements. The debit of an unclaimed order is released, not lost.
  const closesAt = Math.max(...operations.map(({ validUntil }) => validUntil)) + settlementWindow
  const isDue = state === 'DUE' || order_state === 'CLAIMED' || order_state === 'ATTESTED'
  return isDue && timestamp > closesAt
    ? { state: 'LOST', due: proven ?? amount, settled_amount: 0n }
    : undefined
}

async function findOpenDebits(
  transaction: Transaction<Database>,
  account: string,
  network: number,
): Promise<OpenDebit[]> {
  const rows = await transaction
    .selectFrom('order_debits as debit')
    .innerJoin('orders', 'orders.order_id', 'debit.order_id')
    .innerJoin('order_operations as operation', 'operation.order_id', 'orders.order_id')
    .select(['debit.order_id', 'debit.amount', 'debit.fail_fee', 'debit.state', 'debit.due'])
    .select(['orders.state as order_state', 'operation.order_hash', 'operation.valid_until'])
    .where('orders.account', '=', account)
    .where('orders.closed_at', 'is', null)
    .where('debit.network', '=', network)
    .where('debit.state', 'in', openDebitStates)
    .execute()
  return [...Map.groupBy(rows, ({ order_id }) => order_id).values()].flatMap((ofOrder) => {
    const [first] = ofOrder
    if (!first) return []
    const operations = ofOrder.map(({ order_hash, valid_until }) => ({
      orderHash: order_hash as Hex, // the column holds hex
      validUntil: valid_until,
    }))
    return [{ ...first, operations }]
  })
}
