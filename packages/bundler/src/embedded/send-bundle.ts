import { type Database, keepWaiting, recordBundle } from '@lanyard/database'
import type { QueryCreator } from 'kysely'
import type { LocalAccount } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import { type Lease, renewal } from '../sender/lease.ts'
import type { SendOutcome } from '../sender/node-rejections.ts'
import { type OutgoingTransaction, sendTransaction } from '../sender/send-transaction.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import { isSignerFailure } from './signer-failure.ts'
import type { StoredOperation } from './stored-operation.ts'

/**
 * Sends operations that passed a simulation together as one `handleOps`, with the relayer as beneficiary.
 *
 * @returns undefined if one of them was taken by another bundle; nothing was sent
 */
export async function sendBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  bundle: Pick<OutgoingTransaction, 'nonce' | 'fees' | 'reason' | 'replaced' | 'loss'> & {
    readonly operations: readonly StoredOperation[]
  },
): Promise<SendOutcome | undefined> {
  const { operations: stored, ...transaction } = bundle
  const operations = stored.map(({ operation }) => operation)
  const renew = (db: QueryCreator<Database>) => renewal(db, context, lease).returning('fence')
  const sending = sendTransaction(context, lease, relayer, {
    ...transaction,
    to: context.entryPoint,
    data: encodeHandleOps(operations, relayer.address),
    gas: bundleGasLimit(operations, context.network.config.l1Fee),
    record: (row) => recordBundle(context.database, row, stored, renew),
  })
  return await sending.catch(async (error: unknown) => {
    // Another relayer may send them immediately, so no retry is scheduled.
    if (isSignerFailure(error)) {
      const hashes = stored.map(({ hash }) => hash)
      await keepWaiting(context.database, hashes, {
        reason_code: error.code,
        reason_message: "The signer of the relayer's key did not sign. It will be retried.",
      })
    }
    throw error
  })
}
