import { dropSubmitted, keepWaiting, type OperationRow } from '@lanyard/database'
import type { Address, Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { ContentsWrite } from '../sender/context.ts'
import { nextAttempt } from './backoff.ts'
import type { EmbeddedContext } from './context.ts'
import { reverts, revertsAlone } from './reverts.ts'

const nothingToWrite: ContentsWrite = async () => {}

/**
 * The outcome of operations whose bundles were mined and reverted. Each passed a simulation and cost the
 * relayer a transaction that nobody reimburses. So they wait and then go alone (`pickBatch`); an operation
 * that reverts alone a few times is dropped.
 *
 * If the nonce of an operation in the bundle is now used, the bundle lost a race against another bundler. No
 * operation is at fault, and the others go again immediately, each alone. This bounds the number of reverts:
 * when an operation is alone, only its own race can make the bundle revert.
 */
export async function revertedBundles(
  context: EmbeddedContext,
  txnHashes: readonly Hex[],
): Promise<ContentsWrite> {
  if (txnHashes.length === 0) return nothingToWrite
  const carried = await context.database
    .selectFrom('relayer_transaction_operations as link')
    .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
    .select(['link.txn_hash', 'operations.user_op_hash'])
    .select(['operations.account', 'operations.nonce_key', 'operations.nonce_sequence'])
    .where('link.txn_hash', 'in', txnHashes)
    .execute()
  const isUsed = await Promise.all(carried.map((operation) => isNonceUsed(context, operation)))
  const raced = new Set(carried.filter((_, index) => isUsed[index]).map(({ txn_hash }) => txn_hash))
  const hashes = carried.filter(({ txn_hash }) => !raced.has(txn_hash)).map((row) => row.user_op_hash)
  if (hashes.length === 0) return nothingToWrite
  return async (trx) => {
    // Locked in the same order as when they are added to a bundle.
    const waiting = await trx
      .selectFrom('operations')
      .select(['user_op_hash', 'account', 'network', 'nonce_key', 'nonce_sequence', 'attempts'])
      .select([reverts.as('reverts'), revertsAlone.as('reverts_alone')])
      .where('user_op_hash', 'in', hashes)
      .where('state', '=', 'submitted')
      .where('final', '=', false)
      .orderBy('user_op_hash')
      .forUpdate()
      .execute()
    for (const row of waiting) {
      if (row.reverts_alone < context.settings.maxReverts) {
        await keepWaiting(trx, [row.user_op_hash], {
          attempts: row.attempts + 1,
          next_attempt_at: nextAttempt(context, row.reverts - 1),
          reason_code: 'BUNDLER_FAILED',
          reason_message:
            'The transaction with this operation reverted. The operation will be sent again, alone.',
        })
      } else {
        await dropSubmitted(trx, row, {
          reason_code: 'OPERATION_REFUSED',
          reason_message: `It passed every simulation, but ${row.reverts_alone} transactions with only this operation reverted: its validation depends on something that a simulation cannot see.`,
        })
      }
    }
  }
}

type Carried = Pick<OperationRow, 'user_op_hash' | 'account' | 'nonce_key' | 'nonce_sequence'>

/** Whether this operation, in another bundle, or a different operation has used the nonce. */
async function isNonceUsed({ network, entryPoint }: EmbeddedContext, operation: Carried): Promise<boolean> {
  const next = await network.call((client) =>
    client.readContract({
      address: entryPoint,
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [operation.account as Address, operation.nonce_key], // the column holds 0x and 40 digits
    }),
  )
  return BigInt.asUintN(64, next) > operation.nonce_sequence
}
