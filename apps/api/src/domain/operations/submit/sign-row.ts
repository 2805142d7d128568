import { LanyardError } from '@lanyard/contracts'
import {
  type Database,
  type OperationRow,
  type ReadOperation,
  rivalHash,
  signOperation,
} from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Hex } from 'viem'

/** A live request delivers by itself; the worker takes over when this much time passed without a result. */
const workerGrace = 3_000

/** Without the count the signature is written in a transaction. */
export type SignableRow = OperationRow & Partial<Pick<ReadOperation, 'account_signatures'>>

interface Signing {
  readonly row: SignableRow
  /** The complete `userOp.signature`. */
  readonly signature: Hex
  /** Head of the chain now: the event will be in no earlier block. */
  readonly head: bigint
  readonly now: Date
  /** Runs in the transaction of the request that gets through: what the payer keeps (`PayerHooks`), and the caller. */
  readonly onSigned: (transaction: Transaction<Database>, signed: OperationRow) => Promise<void>
  /** `onSigned` is the payer's alone: an operation that belongs to no order may do without it. */
  readonly isPlain?: boolean
}

interface SignedOperation {
  /** As it is then, whoever wrote it. */
  readonly row: OperationRow
  /** This call has written the signature. */
  readonly first: boolean
  /** No other operation of the account is under way on the network, as far as was looked. */
  readonly isAlone: boolean
}

/**
 * Writes the signature: `built → submitting`, and with it what `onSigned` writes. This alone
 * takes a nonce. Of two requests with one signature only the first gets through; the other finds the row further on.
 *
 * @throws REBUILD when the build expired, another operation took its nonce; OPERATION_IN_FLIGHT
 * when the account's first operation is another
 */
export async function signRow(database: Kysely<Database>, signing: Signing): Promise<SignedOperation> {
  const { row, signature, head, now, isPlain = false } = signing
  if (isPlain && !row.deploys && row.account_signatures !== undefined) {
    const signed = await signOperation(database)({
      userOpHash: row.user_op_hash,
      account: row.account,
      signatures: row.account_signatures,
      signature,
      head: Number(head),
      now,
      nextAttemptAt: new Date(now.getTime() + workerGrace),
    })
    if (signed) return { row: signed, first: true, isAlone: signed.is_alone }
  }
  return signInTransaction(database, signing)
}

/** What one statement did not do: with an order, with what `onSigned` writes, or for a reason that is to be told. */
function signInTransaction(
  database: Kysely<Database>,
  { row, signature, head, now, onSigned }: Signing,
): Promise<SignedOperation> {
  return database.transaction().execute(async (transaction) => {
    // The account's row orders this against other signatures of the account.
    await countSignature(transaction, row)
    if (row.deploys) await requireNotDeploying(transaction, row)
    const signed = await transaction
      .updateTable('operations')
      .set({
        state: 'submitting',
        signature,
        signed_at: now,
        signed_at_block: Number(head),
        // An address is kept no longer than the build is unsigned.
        built_by: null,
        // The request that signs it delivers it, and nobody else counts as the first, whatever becomes of that.
        attempts: 1,
        next_attempt_at: new Date(now.getTime() + workerGrace),
        reason_code: null,
        reason_message: null,
      })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('state', '=', 'built')
      .where('build_expires_at', '>', now)
      .where(sql<boolean>`${rivalHash} is null`)
      .returningAll()
      .executeTakeFirst()
    if (signed) {
      await onSigned(transaction, signed)
      return { row: signed, first: true, isAlone: false }
    }
    const current = await transaction
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirst()
    if (current && current.signature !== null) return { row: current, first: false, isAlone: false }
    throw await rebuild(transaction, row)
  })
}

/** Locks the account's row, and lets nobody sign who has read it before. */
const countSignature = (transaction: Transaction<Database>, { account }: OperationRow) =>
  transaction
    .updateTable('accounts')
    .set((eb) => ({ signatures: eb('signatures', '+', 1) }))
    .where('address', '=', account)
    .execute()

/** Why a build can no longer be signed. */
async function rebuild(transaction: Transaction<Database>, row: OperationRow): Promise<LanyardError> {
  const rival = await transaction
    .selectFrom('operations')
    .select(rivalHash.as('hash'))
    .where('user_op_hash', '=', row.user_op_hash)
    .executeTakeFirst()
  return new LanyardError('REBUILD', {
    message: rival?.hash
      ? `This build can no longer be signed: operation ${rival.hash} has its nonce. Build it again.`
      : 'This build can no longer be signed: it expired after ten minutes. Build it again.',
    details: { userOpHash: row.user_op_hash },
  })
}

/** An account is deployed once. A replacement of the operation that deploys it competes for its nonce and may come. */
async function requireNotDeploying(transaction: Transaction<Database>, row: OperationRow): Promise<void> {
  const other = await transaction
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('deploys', '=', true)
    .where('state', 'in', ['submitting', 'submitted'])
    .where((where) =>
      where.or([where('nonce_key', '<>', row.nonce_key), where('nonce_sequence', '<>', row.nonce_sequence)]),
    )
    .executeTakeFirst()
  if (!other) return
  throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: other.user_op_hash } })
}
