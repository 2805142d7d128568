import { type Database, keepWaiting, recordBundle } from '@lanyard/database'
import type { QueryCreator } from 'kysely'
import type { Address, LocalAccount } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import { type Lease, renewal } from '../sender/lease.ts'
import { isUnwanted, type SendOutcome } from '../sender/send-raw-transaction.ts'
import { sendTransaction } from '../sender/send-transaction.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import { type DeferReason, defer } from './defer.ts'
import { isSignerFailure } from './signer-failure.ts'
import type { StoredOperation } from './stored-operation.ts'

/** Sends operations that passed a simulation together as one `handleOps`, with the relayer as beneficiary. */
export async function sendBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  bundle: {
    readonly nonce: number
    readonly fees: TransactionFees
    readonly operations: readonly StoredOperation[]
  },
): Promise<SendOutcome | undefined> {
  const operations = bundle.operations.map(({ operation }) => operation)
  const hashes = bundle.operations.map(({ hash }) => hash)
  const renew = (db: QueryCreator<Database>) => renewal(db, context, lease).returning('fence')
  const sending = sendTransaction(context, lease, relayer, {
    nonce: bundle.nonce,
    to: context.entryPoint,
    data: encodeHandleOps(operations, relayer.address),
    gas: bundleGasLimit(operations, context.network.config.l1Fee),
    fees: bundle.fees,
    record: (row) => recordBundle(context.database, row, bundle.operations, renew),
  })
  const outcome = await sending.catch(async (error: unknown) => {
    // Another relayer may send them immediately, so no retry is scheduled.
    if (isSignerFailure(error)) {
      await keepWaiting(context.database, hashes, {
        reason_code: error.code,
        reason_message: "The signer of the relayer's key did not sign. It will be retried.",
      })
    }
    throw error
  })
  if (outcome !== undefined && isUnwanted(outcome)) {
    const reason = unwanted(outcome, relayer.address)
    await defer(
      context,
      lease,
      bundle.operations.map((stored) => ({ stored, reason })),
    )
  }
  return outcome
}

const unwanted = (outcome: SendOutcome, relayer: Address): DeferReason => ({
  code: 'BUNDLER_UNAVAILABLE',
  message:
    outcome === 'insufficient-funds'
      ? `The relayer ${relayer} has too little to send the transaction. It will be retried.`
      : 'The network did not accept the transaction. It will be retried.',
})
