import { LanyardError } from '@lanyard/contracts'
import { type Database, inTransaction, type SmartBalanceLedgerTable } from '@lanyard/database'
import { pinned } from '@lanyard/smart-balance'
import type { Selectable, Transaction } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { z } from 'zod'
import { lockAccount } from '../../../domain/accounts/accounts/lock-account.ts'
import { findQuestions } from '../../../domain/smart-balance/ledger/ledger-questions.ts'
import { readDeposit } from '../../../domain/smart-balance/ledger/read-deposit.ts'
import { writeDeposit } from '../../../domain/smart-balance/ledger/write-deposits.ts'
import { balanceContract } from './balance-contract.ts'
import { chunksOf, type RepairContext } from './context.ts'
import { type Difference, disagreements, type Said } from './difference.ts'

type LedgerRow = Selectable<SmartBalanceLedgerTable>

const signerIds = z.array(z.templateLiteral(['0x', z.string()]))

/**
 * Compares ledger entries with the block that each entry names: an older entry is correct if it was correct
 * at that block. If an RPC has no old states, the final block is read instead, and an entry that differs
 * there counts only if no event explains the difference.
 *
 * @param explained - accounts that SmartBalance changed within the blocks that were read
 */
export async function compareLedger(
  context: RepairContext,
  explained: ReadonlySet<string>,
): Promise<Difference[]> {
  if (!balanceContract(context.network)) return []
  const found: Difference[] = []
  for (const accounts of chunksOf(context.accounts)) {
    const rows = await context.database
      .selectFrom('smart_balance_ledger')
      .selectAll()
      .where('network', '=', context.network.chainId)
      .where('account', 'in', accounts)
      .execute()
    for (const row of rows) found.push(...(await compare(context, row, explained)))
  }
  return found
}

async function compare(
  context: RepairContext,
  row: LedgerRow,
  explained: ReadonlySet<string>,
): Promise<Difference[]> {
  const { network, final } = context
  const said = { ...row, pinned_signers: signerIds.parse(row.pinned_signers) }
  const named = { network: network.chainId, account: row.account, subject: row.account }
  const difference = (against: { database: Said; chain: Said } | undefined): Difference[] =>
    against ? [{ kind: 'LEDGER_DIFFERS', ...named, ...against, repair: repairEntry(context, row) }] : []

  // Every later reading would count as an older one and be skipped.
  if (BigInt(row.block_number) > final.number)
    return difference(disagreements(said, { block_number: final.number }))
  const then = await readState(context, row, BigInt(row.block_number))
  if (then) return difference(disagreements(said, then))
  const now = await readState(context, row, final.number)
  const { block_timestamp: _other, ...values } = now ?? {}
  return explained.has(row.account) ? [] : difference(disagreements(said, values))
}

/** undefined: the RPC has no such old state. */
async function readState(
  { network }: RepairContext,
  row: LedgerRow,
  blockNumber: bigint,
): Promise<Said | undefined> {
  const on = balanceContract(network)
  const account = getAddress(row.account)
  const request = signerIds.parse(row.asked_signers)
  try {
    return await network.call(async (client) => {
      if (!on) return undefined
      const [[balance, exiting, exitReadyAt], until, block] = await Promise.all([
        client.readContract({ ...on.contract, functionName: 'accounts', args: [account], blockNumber }),
        client.multicall({
          allowFailure: false,
          blockNumber,
          contracts: request.map(
            (id) => ({ ...on.contract, functionName: 'signerUntil', args: [account, id] }) as const,
          ),
        }),
        client.getBlock({ blockNumber }),
      ])
      return {
        balance,
        exiting,
        exit_ready_at: exitReadyAt,
        pinned_signers: request.filter((_: Hex, index) => BigInt(until[index] ?? 0) === pinned),
        block_timestamp: Number(block.timestamp),
      }
    })
  } catch (error) {
    if (error instanceof LanyardError && error.code === 'NETWORK_FAILED') return undefined
    throw error
  }
}

/** Rewrites the entry from a final block, together with the settlements in that block. */
function repairEntry({ network }: RepairContext, row: LedgerRow): NonNullable<Difference['repair']> {
  return async (database) => {
    const questions = await findQuestions(database, row.account)
    const deposit = await readDeposit(network, getAddress(row.account), questions.on(network.chainId))
    return inTransaction(database, async (transaction) => {
      if (!(await lockAccount(transaction, row.account))) return false
      if (!(await deleteAsRead(transaction, row))) return false
      await writeDeposit(transaction, row.account, deposit)
      return true
    })
  }
}

async function deleteAsRead(transaction: Transaction<Database>, row: LedgerRow): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('smart_balance_ledger')
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('balance', '=', row.balance)
    .where('exiting', '=', row.exiting)
    .where('exit_ready_at', '=', row.exit_ready_at)
    .where('block_number', '=', row.block_number)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
