import type { SignedUserOperation } from '@lanyard/accounts'
import type { RelayerTransactionRow } from '@lanyard/database'
import type { LocalAccount } from 'viem'
import type { Lease } from '../sender/lease.ts'
import { sendFiller } from '../sender/send-filler.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import { feesOf, findStuckTransaction } from '../sender/stuck-transaction.ts'
import { replacementFees, unboundedFees } from '../sender/transaction-fees.ts'
import { maxBundleFees } from './bundle-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { pickBatch } from './pick-batch.ts'
import { sendBundle } from './send-bundle.ts'
import { simulateBatch } from './simulate-batch.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from './stored-operation.ts'
import { waitingOperations } from './waiting-operations.ts'

/**
 * Replaces the relayer's oldest transaction if it has waited too long. The first option is to send its own
 * operations again at higher fees, if they pay for them. The second is a bundle of waiting operations that
 * pay more and take its nonce; the stuck operations stay in the older row and are picked again once that row
 * is lost. If none of its operations can pass any more, the replacement is an empty transfer. Otherwise the
 * transaction waits for the base fee to fall.
 */
export async function replaceStuckTransaction(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  state: NonceState,
): Promise<void> {
  const stuck = findStuckTransaction(context, state)
  if (!stuck) return

  const market = await context.network.fees()
  const previous = feesOf(stuck)
  const feesFor = (operations: readonly SignedUserOperation[]) =>
    replacementFees(previous, market, maxBundleFees(operations))
  const offer = async (candidates: readonly StoredOperation[]) => {
    const { passing } = await simulateBatch(context, relayer.address, candidates, feesFor)
    if (passing.length === 0) return 'nothing-passes'
    const fees = feesFor(passing.map(({ operation }) => operation))
    if (!fees) return 'too-expensive'
    await sendBundle(context, lease, relayer, { nonce: stuck.nonce, fees, operations: passing })
    return 'sent'
  }

  const own = await offer(await operationsOf(context, stuck))
  if (own === 'sent') return
  const richer = (await waitingOperations(context)).filter(
    ({ operation }) => feesFor([operation]) !== undefined,
  )
  const limits = {
    most: context.settings.maxOperationsPerBundle,
    beneficiary: relayer.address,
    l1Fee: context.network.config.l1Fee,
    ownPaymaster: context.network.config.smartBalance,
    turn: stuck.nonce,
  }
  if ((await offer(pickBatch(richer, limits))) === 'sent') return
  if (own === 'nothing-passes') {
    // The relayer pays for the transfer; its 21,000 gas bounds the cost.
    const fees = replacementFees(previous, market, unboundedFees)
    if (fees) await sendFiller(context, lease, relayer, stuck.nonce, fees)
  }
}

async function operationsOf(
  { database }: EmbeddedContext,
  row: RelayerTransactionRow,
): Promise<StoredOperation[]> {
  const rows = await database
    .selectFrom('relayer_transaction_operations as link')
    .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
    .select(storedOperationColumns)
    .where('link.txn_hash', '=', row.txn_hash)
    .where('operations.state', '=', 'submitted')
    .where('operations.final', '=', false)
    .orderBy('link.position')
    .execute()
  return rows.map(readStoredOperation)
}
