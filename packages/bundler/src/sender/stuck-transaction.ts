import type { RelayerTransactionRow } from '@lanyard/database'
import type { SenderContext } from './context.ts'
import { hasWaited, type NonceState } from './settle-transactions.ts'
import type { TransactionFees } from './transaction-fees.ts'

/** The transaction that blocks all others of the sender, if it has waited for `replaceAfter`. */
export function findStuckTransaction(
  context: SenderContext,
  { live, chainNonce }: NonceState,
): RelayerTransactionRow | undefined {
  const oldest = live.filter(({ nonce }) => nonce === chainNonce).at(-1)
  return oldest && hasWaited(context, oldest, context.settings.replaceAfter) ? oldest : undefined
}

/**
 * The highest fees that were offered at a row's nonce, also by replacements that the node refused: the next one
 * offers more than those.
 */
export async function highestFeesAt(
  { database }: Pick<SenderContext, 'database'>,
  { network, relayer, nonce }: RelayerTransactionRow,
): Promise<TransactionFees> {
  const { cap, tip } = await database
    .selectFrom('relayer_transactions')
    .select(({ fn }) => [fn.max('max_fee_per_gas').as('cap'), fn.max('max_priority_fee_per_gas').as('tip')])
    .where('network', '=', network)
    .where('relayer', '=', relayer)
    .where('nonce', '=', nonce)
    .executeTakeFirstOrThrow()
  return { maxFeePerGas: BigInt(cap), maxPriorityFeePerGas: BigInt(tip) }
}
