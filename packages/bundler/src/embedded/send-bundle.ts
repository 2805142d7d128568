import { type Database, keepWaiting, recordBundle } from '@lanyard/database'
import type { QueryCreator } from 'kysely'
import type { LocalAccount } from 'viem'
import { bundleGasLimit } from '../bundle-gas.ts'
import { encodeHandleOps, entryPointOf } from '../entry-point/entry-point.ts'
import { type Lease, renewal } from '../sender/lease.ts'
import type { SendOutcome } from '../sender/node-rejections.ts'
import { type OutgoingTransaction, sendTransaction } from '../sender/send-transaction.ts'
import type { CheckedBundle } from './check-bundle.ts'
import type { EmbeddedContext } from './context.ts'
import { isSignerFailure } from './signer-failure.ts'
import type { StoredOperation } from './stored-operation.ts'

/**
 * Sends operations that passed a simulation together as one `handleOps`, with the relayer as beneficiary. The
 * authorisations that they still need go with them.
 *
 * @returns undefined if one of them was taken by another bundle; nothing was sent
 */
export async function sendBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  bundle: Pick<OutgoingTransaction, 'nonce' | 'fees' | 'reason' | 'replaced' | 'loss'> & {
    /** Whether nothing vouches for its operation, which may revert. */
    readonly unproven: boolean
    /** For one EntryPoint, with their senders as they were read just now. */
    readonly operations: readonly StoredOperation[]
  } & Pick<CheckedBundle<StoredOperation>, 'delegations'>,
): Promise<SendOutcome | undefined> {
  const { operations: stored, delegations, unproven, ...transaction } = bundle
  const operations = stored.map(({ operation }) => operation)
  const renew = (db: QueryCreator<Database>) => renewal(db, context, lease).returning('fence')
  const sending = sendTransaction(context, lease, relayer, {
    ...transaction,
    to: entryPointOf(context.network, operations[0] ?? {}),
    data: encodeHandleOps(operations, relayer.address),
    authorizations: operations.flatMap(({ sender, authorization }) =>
      authorization && delegations.get(sender.toLowerCase())?.isNeeded ? [authorization] : [],
    ),
    gas: bundleGasLimit(operations, context.network.config.l1Fee),
    record: (row) => recordBundle(context.database, { ...row, unproven }, stored, renew),
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
