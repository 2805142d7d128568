import { LanyardError } from '@lanyard/contracts'
import type { Database, SmartBalanceLedgerTable } from '@lanyard/database'
import { settlementWindow } from '@lanyard/smart-balance'
import type { Selectable, Transaction } from 'kysely'
import type { FoundOrder } from './find-order.ts'

type LedgerRow = Selectable<SmartBalanceLedgerTable>

/** ε of the protocol: the maximum difference in seconds between the clocks of two networks. */
const clockSkew = 3_600

/**
 * Checks again, right before the operator signs, that each source can still repay: the owner is pinned there,
 * and the funds that cannot leave before settlement ends cover the debit. An exit that starts later is
 * harmless, since it waits longer than a settlement can take. An exit that is already running is not.
 *
 * @param validUntil - of the order, Unix seconds
 * @throws ORDER_EXPIRED naming the network
 */
export async function requireSources(
  transaction: Transaction<Database>,
  { order, debits }: FoundOrder,
  validUntil: number,
): Promise<void> {
  if (debits.length === 0) return
  const rows = await transaction
    .selectFrom('smart_balance_ledger')
    .selectAll()
    .where('account', '=', order.account)
    .where(
      'network',
      'in',
      debits.map(({ network }) => network),
    )
    .execute()
  for (const { network, amount } of debits) {
    const row = rows.find((one) => one.network === network)
    const lasting = row === undefined ? 0n : lastsUntil(row, validUntil + settlementWindow + clockSkew)
    if (lasting >= amount && isPinned(row, order.signer_id)) continue
    throw new LanyardError('ORDER_EXPIRED', {
      message: `The deposit on network ${network} can no longer repay this order: it is exiting, or the owner was removed there. Compute a new solution.`,
      details: { network },
    })
  }
}

const lastsUntil = ({ balance, exiting, exit_ready_at }: LedgerRow, time: number): bigint =>
  exit_ready_at < time ? balance - exiting : balance

const isPinned = (row: LedgerRow | undefined, signer: string): boolean =>
  Array.isArray(row?.pinned_signers) && row.pinned_signers.includes(signer)
