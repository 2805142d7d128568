import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import { lockAccount } from '../accounts/lock-account.ts'
import { submitOrder } from '../orders/submit-order.ts'

/** A live request delivers by itself; the worker takes over when this much time passed without a result. */
const workerGrace = 3_000

interface Signing {
  readonly row: OperationRow
  /** The complete `userOp.signature`. */
  readonly signature: Hex
  /** Head of the chain now: the event will be in no earlier block. */
  readonly head: bigint
  readonly now: Date
  /** Runs in the transaction of the request that gets through, e.g. to write down that an assertion is used. */
  readonly whenSigned?: ((transaction: Transaction<Database>) => Promise<void>) | undefined
}

/**
 * Writes the signature: `built → submitting`, and with it `RESERVED → SUBMITTED` of the operation's order. Of two
 * requests with one signature only the first gets through; the other finds the row further on.
 *
 * @returns the row as it is then, whoever wrote it
 * @throws REBUILD when the build expired or gave way, or its order did, OPERATION_IN_FLIGHT when the account's first operation is
 * another
 */
export async function signRow(
  database: Kysely<Database>,
  { row, signature, head, now, whenSigned }: Signing,
): Promise<{ row: OperationRow; first: boolean }> {
  return database.transaction().execute(async (transaction) => {
    // The account's row orders this against builds and against other first operations of the account.
    await lockAccount(transaction, row.account)
    if (row.deploys) {
      const other = await transaction
        .selectFrom('operations')
        .select('user_op_hash')
        .where('account', '=', row.account)
        .where('network', '=', row.network)
        .where('user_op_hash', '<>', row.user_op_hash)
        .where('deploys', '=', true)
        .where('state', 'in', ['submitting', 'submitted'])
        // A replacement of that very operation competes for its nonce and may come.
        .where((where) =>
          where.or([
            where('nonce_key', '<>', row.nonce_key),
            where('nonce_sequence', '<>', row.nonce_sequence),
          ]),
        )
        .executeTakeFirst()
      if (other) {
        throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: other.user_op_hash } })
      }
    }
    const signed = await transaction
      .updateTable('operations')
      .set({
        state: 'submitting',
        signature,
        signed_at: now,
        signed_at_block: Number(head),
        // The request that signs it delivers it, and nobody else counts as the first, whatever becomes of that.
        attempts: 1,
        next_attempt_at: new Date(now.getTime() + workerGrace),
        reason_code: null,
        reason_message: null,
      })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', 'built')
      .where('build_expires_at', '>', now)
      .returningAll()
      .executeTakeFirst()
    if (signed) {
      await submitOrder(transaction, signed)
      await whenSigned?.(transaction)
      return { row: signed, first: true }
    }
    const current = await transaction
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirstOrThrow()
    if (current.signature !== null) return { row: current, first: false }
    throw new LanyardError('REBUILD', {
      message: `This build can no longer be signed: ${current.reason_message ?? 'it expired after ten minutes.'} Build it again.`,
      details: { userOpHash: current.user_op_hash },
    })
  })
}
