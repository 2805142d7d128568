import { LanyardError } from '@lanyard/contracts'
import type { Database, SmartBalanceLedgerTable } from '@lanyard/database'
import { settlementWindow } from '@lanyard/smart-balance'
import type { Selectable, Transaction } from 'kysely'
import type { FoundOrder } from './find-order.ts'

type LedgerRow = Selectable<SmartBalanceLedgerTable>

/** ε of the protocol: seconds by which the clocks of two networks may differ. */
const clockSkew = 3_600

/**
 * Looks once more, right before the operator signs, whether each source can still repay: the owner is pinned there,
 * and what does not leave before settlement ends covers the debit. A newer exit does no harm, since it waits longer
 * than a settlement can take; one that runs already does.
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
      message: `The deposit on network ${network} can no longer repay this order: it is leaving, or the owner was removed there. Compute a new solution.`,
      details: { network },
    })
  }
}

const lastsUntil = ({ balance, exiting, exit_ready_at }: LedgerRow, time: number): bigint =>
  exit_ready_at < time ? balance - exiting : balance

const isPinned = (row: LedgerRow | undefined, signer: string): boolean =>
  Array.isArray(row?.pinned_signers) && row.pinned_signers.includes(signer)
