import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import { lockAccount } from '../../accounts/accounts/lock-account.ts'

/** A live request delivers by itself; the worker takes over when this much time passed without a result. */
const workerGrace = 3_000

interface Signing {
  readonly row: OperationRow
  /** The complete `userOp.signature`. */
  readonly signature: Hex
  /** Head of the chain now: the event will be in no earlier block. */
  readonly head: bigint
  readonly now: Date
  /** Runs in the transaction of the request that gets through: what the payer keeps (`PayerHooks`), and the caller. */
  readonly onSigned: (transaction: Transaction<Database>, signed: OperationRow) => Promise<void>
}

/**
 * Writes the signature: `built → submitting`, and with it what `onSigned` writes. This alone
 * takes a nonce. Of two requests with one signature only the first gets through; the other finds the row further on.
 *
 * @returns the row as it is then, whoever wrote it
 * @throws REBUILD when the build expired, another operation took its nonce; OPERATION_IN_FLIGHT
 * when the account's first operation is another
 */
export async function signRow(
  database: Kysely<Database>,
  { row, signature, head, now, onSigned }: Signing,
): Promise<{ row: OperationRow; first: boolean }> {
  return database.transaction().execute(async (transaction) => {
    // The account's row orders this against other signatures of the account.
    await lockAccount(transaction, row.account)
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
      .where(({ not, exists }) => not(exists(rivals(transaction, row))))
      .returningAll()
      .executeTakeFirst()
    if (signed) {
      await onSigned(transaction, signed)
      return { row: signed, first: true }
    }
    const current = await transaction
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirst()
    if (current && current.signature !== null) return { row: current, first: false }
    throw await rebuild(transaction, row)
  })
}

/**
 * Operations that have the nonce of a build: included ones, and signed ones that may be. Exempt is the one that it
 * replaces, and what that one has replaced.
 */
const rivals = (
  transaction: Transaction<Database>,
  { user_op_hash, account, network, nonce_key, nonce_sequence, replaces }: OperationRow,
) =>
  transaction
    .selectFrom('operations as rival')
    .select('rival.user_op_hash')
    .where('rival.account', '=', account)
    .where('rival.network', '=', network)
    .where('rival.nonce_key', '=', nonce_key)
    .where('rival.nonce_sequence', '=', nonce_sequence)
    .where('rival.user_op_hash', '<>', user_op_hash)
    .where('rival.signature', 'is not', null)
    .where(({ and, or, not, eb, exists, selectFrom }) =>
      or([
        eb('rival.state', '=', 'included'),
        and([
          eb('rival.final', '=', false),
          eb('rival.user_op_hash', 'is distinct from', replaces),
          not(
            exists(
              selectFrom('operations as newer')
                .select('newer.user_op_hash')
                .whereRef('newer.replaces', '=', 'rival.user_op_hash')
                .where('newer.signature', 'is not', null)
                .where('newer.final', '=', false),
            ),
          ),
        ]),
      ]),
    )

/** Why a build can no longer be signed. */
async function rebuild(transaction: Transaction<Database>, row: OperationRow): Promise<LanyardError> {
  const rival = await rivals(transaction, row).executeTakeFirst()
  return new LanyardError('REBUILD', {
    message: rival
      ? `This build can no longer be signed: operation ${rival.user_op_hash} has its nonce. Build it again.`
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
