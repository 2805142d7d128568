import { LanyardError } from '@lanyard/contracts'
import {
  countSignature,
  countUnresolvedNonces,
  type Database,
  findConflictingOperation,
  maxUnresolvedNonces,
  type OperationRow,
  type ReadOperation,
  recordPlainSignature,
  recordSignature,
  type SignedTerms,
} from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { PayerHooks } from '../build-request.ts'
import type { OperationFeatures } from '../dependencies.ts'

/**
 * A live request sends its operation itself; the worker takes over when this many milliseconds passed without
 * a result.
 */
const workerGrace = 3_000

/** Without the count of {@link ReadOperation}, the signature is written in a transaction. */
export type SignableRow = OperationRow & Partial<ReadOperation>

interface Signing {
  /** Carries the authorisation to send it with, if it needs one. */
  readonly row: SignableRow
  /** The complete `userOp.signature`. */
  readonly signature: Hex
  /** Signed terms that differ from the build: another validity, or another kind of owner. */
  readonly terms?: SignedTerms | undefined
  /** Current head of the chain: the event cannot be in an earlier block. */
  readonly head: bigint
  readonly now: Date
  /** Whether a bundler whose queue is the table of operations has accepted it: nothing remains to be sent. */
  readonly isAccepted?: boolean | undefined
  /** Keeps the records of payers, which only operations that `references` name have. */
  readonly payerHooks: Pick<PayerHooks, 'onSigned'>
  readonly features: Pick<OperationFeatures, 'references'>
  /** Runs in the transaction of the request that writes the signature, for the caller's records. */
  readonly onSigned?: ((transaction: Transaction<Database>) => Promise<void>) | undefined
}

/**
 * Writes the signature: `built → submitting` (or `submitted`), together with the writes of the payer and of the caller. Only this step takes a
 * nonce. If two requests carry the same signature, only the first writes it; the other finds the row in a
 * later state.
 *
 * @returns the current row, whichever request wrote it
 * @throws TOO_MANY_OPERATIONS; REBUILD when the build has expired, or another operation took its nonce or deployed
 * the account; OPERATION_IN_FLIGHT while another operation deploys it
 */
export async function signRow(
  database: Kysely<Database>,
  { row, signature, terms, head, now, isAccepted = false, payerHooks, features, onSigned }: Signing,
): Promise<{ row: OperationRow; first: boolean }> {
  const nextAttemptAt = isAccepted ? null : new Date(now.getTime() + workerGrace)
  const written = { signature, head, now, nextAttemptAt }
  const { account_signatures } = row
  if (!onSigned && !terms && !row.deploys && account_signatures !== undefined) {
    const read = { ...row, account_signatures }
    const signed = await recordPlainSignature(database, read, written, features.references)
    if (signed) return { row: signed, first: true }
  }
  return database.transaction().execute(async (transaction) => {
    // The lock on the account's row orders this with other signatures of the account.
    await countSignature(transaction, row.account)
    if (row.deploys) await requireNotDeploying(transaction, row)
    const signed = await recordSignature(transaction, row, written, terms)
    if (signed) {
      await payerHooks.onSigned(transaction, signed)
      await onSigned?.(transaction)
      return { row: signed, first: true }
    }
    const current = await transaction
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirst()
    // Another request has written its signature, or was refused with it: the row has the one answer for both.
    if (current && (current.signature !== null || hasChanged(current, row)))
      return { row: current, first: false }
    throw await rebuild(transaction, row)
  })
}

/** Whether another request has signed it since it was read. The build itself may have expired meanwhile. */
const hasChanged = (current: OperationRow, read: OperationRow): boolean =>
  current.signed_at !== null && current.signed_at.getTime() !== read.signed_at?.getTime()

/** Seconds: about a block. */
const retryAfter = 12

/** Why a build cannot be signed. */
async function rebuild(transaction: Transaction<Database>, row: OperationRow): Promise<LanyardError> {
  const conflictingOperation = await findConflictingOperation(transaction, row)
  if (!conflictingOperation && (await countUnresolvedNonces(transaction, row)) >= maxUnresolvedNonces) {
    return new LanyardError('TOO_MANY_OPERATIONS', { details: { retryAfter, userOpHash: row.user_op_hash } })
  }
  return new LanyardError('REBUILD', {
    message: conflictingOperation
      ? `This build can no longer be signed: operation ${conflictingOperation} has its nonce. Build it again.`
      : 'This build can no longer be signed: it expired after ten minutes. Build it again.',
    details: { userOpHash: row.user_op_hash },
  })
}

/**
 * An account is deployed once. A replacement of the deploying operation is allowed, because it competes for
 * the same nonce. One that was signed since this build and is included already counts too: the bundler may have
 * checked this operation just before, and no block could contain it.
 */
async function requireNotDeploying(transaction: Transaction<Database>, row: OperationRow): Promise<void> {
  const other = await transaction
    .selectFrom('operations')
    .select(['user_op_hash', 'state'])
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('deploys', '=', true)
    .where((where) =>
      where.or([
        where('state', 'in', ['submitting', 'submitted']),
        where.and([where('state', '=', 'included'), where('signed_at', '>=', row.built_at)]),
      ]),
    )
    .where((where) =>
      where.or([where('nonce_key', '<>', row.nonce_key), where('nonce_sequence', '<>', row.nonce_sequence)]),
    )
    .executeTakeFirst()
  if (!other) return
  if (other.state !== 'included') {
    throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: other.user_op_hash } })
  }
  throw new LanyardError('REBUILD', {
    message: `Operation ${other.user_op_hash} deployed the account meanwhile. Build it again.`,
    details: { userOpHash: row.user_op_hash },
  })
}
