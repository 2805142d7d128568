import { decodeSignature, encodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database, NewOperationRow, OperationRow } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'
import { lockAccount } from '../../../domain/accounts/accounts/lock-account.ts'
import { builderOf } from '../../../domain/accounts/callers/builder-of.ts'
import { hashesOf, insertBuild } from '../../../domain/operations/build/build-row.ts'
import { sendFirst } from '../../../domain/operations/submit/deliver.ts'
import { signRow } from '../../../domain/operations/submit/sign-row.ts'
import { readNonceUse } from '../../../domain/operations/track/nonce-use.ts'
import { verifyOwnerSignature } from '../operation-owner.ts'
import { toOperationRow } from '../operation-row.ts'
import { findOperationWallet, registerWallet } from '../operation-wallet.ts'
import { type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { parseOperation, requireSigned } from '../user-operation.ts'

/**
 * `eth_sendUserOperation`: the same durable operation as build and submit make. What the owner signed is verified before
 * anything is written, so nobody else can take a nonce; then the row is written, signed and delivered, and the bundler's
 * refusal is the answer. A refused operation can be sent again.
 *
 * @returns its hash, without waiting for its inclusion
 */
export async function sendUserOperation({ context, network, params }: RpcCall): Promise<Hash> {
  const [given, entryPoint] = params
  requireEntryPoint(network, entryPoint)
  const { services } = context
  const { database, operations, log } = services
  const operation = requireSigned(parseOperation(given))
  const wallet = await findOperationWallet(database, operation)
  const { validAfter, validUntil, signatures: made } = readSignature(operation)
  const { userOpHash, safeOperationHash } = hashesOf(operation, wallet, network, { validAfter, validUntil })
  const known = await findRow(database, userOpHash)
  if (known?.signature != null) return userOpHash // sent before: its status says what came of it
  if (known?.sign_mode === 'SESSION_KEY') {
    throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
      message: "A session's operations are sent to /smart-account/transaction/submit.",
    })
  }
  const { signMode, signatures } = await verifyOwnerSignature(
    services,
    network,
    wallet,
    safeOperationHash,
    made,
  )

  await registerWallet(database, wallet, services.now())
  const now = services.now()
  const { signature: _, ...unsigned } = operation
  const row: NewOperationRow = {
    ...toOperationRow(unsigned, wallet, network, now),
    user_op_hash: userOpHash,
    safe_op_hash: safeOperationHash,
    valid_after: validAfter,
    valid_until: validUntil,
    sign_mode: signMode,
    built_by: await builderOf(context, wallet),
  }
  const written = await writeRow(database, row, now)
  const head = await network.call((client) => client.getBlockNumber())
  const signature = encodeSignature({ validAfter, validUntil, signatures })
  const signed = await signRow(database, {
    row: written,
    signature,
    head,
    now,
    onSigned: operations.payerHooks.onSigned,
  })
  await services.checkpoint('submit:signed')
  if (signed.first) await sendFirst(operations, signed.row)
  // Its inclusion is recorded as soon as it is seen, whether the caller asks or not.
  operations.watcher
    .wait(signed.row, operations.inclusionTimeout)
    .catch((error: unknown) => log.warn({ err: error }, 'could not watch an operation'))
  return userOpHash
}

/** @throws INVALID_SIGNATURE for what has no place for the validity */
function readSignature({ signature }: SignedUserOperation) {
  try {
    return decodeSignature(signature)
  } catch (cause) {
    throw new LanyardError('INVALID_SIGNATURE', {
      message: 'AA24 signature error: the signature is shorter than validAfter and validUntil.',
      cause,
    })
  }
}

const findRow = (database: Kysely<Database>, userOpHash: Hash): Promise<OperationRow | undefined> =>
  database.selectFrom('operations').selectAll().where('user_op_hash', '=', userOpHash).executeTakeFirst()

/**
 * The row of an operation whose owner's signature was verified: the build that it is, with the validity that was signed,
 * or a new one. Nonce keys of open orders and of sessions are theirs.
 *
 * @throws OPERATION_IN_FLIGHT
 */
async function writeRow(database: Kysely<Database>, row: NewOperationRow, now: Date): Promise<OperationRow> {
  return database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, row.account)
    const build = await transaction
      .updateTable('operations')
      .set({
        safe_op_hash: row.safe_op_hash,
        valid_after: row.valid_after,
        valid_until: row.valid_until,
        sign_mode: row.sign_mode,
      })
      .where('user_op_hash', '=', row.user_op_hash)
      .where('signature', 'is', null)
      .where('build_expires_at', '>', now)
      .returningAll()
      .executeTakeFirst()
    if (build) return build
    const key = BigInt(row.nonce_key)
    const { ordered } = await readNonceUse(transaction, {
      ...{ account: row.account, network: row.network, builtBy: row.built_by ?? '', now },
    })
    const session = await transaction
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', row.account)
      .where('network', '=', row.network)
      .where('nonce_key', '=', key)
      .where('sign_mode', '=', 'SESSION_KEY')
      .executeTakeFirst()
    if (ordered.has(key) || session) {
      throw new LanyardError('OPERATION_IN_FLIGHT', {
        message: 'This nonce key is that of an open order or of a session. Use another one.',
      })
    }
    await insertBuild(transaction, row)
    return transaction
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', row.user_op_hash)
      .executeTakeFirstOrThrow()
  })
}
