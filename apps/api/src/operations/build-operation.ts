import {
  type Call,
  getSafeOperationHash,
  getUserOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database, NewOperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'
import type { OperationDependencies } from './dependencies.ts'
import { estimateOperation } from './estimate.ts'
import { requireFunds } from './funds.ts'
import { type NoncePosition, toNonce } from './lanes.ts'
import type { OperationSigner } from './operation-signer.ts'
import { reserveNonce } from './reserve-nonce.ts'
import { supersedeBuilds } from './row-states.ts'

/** An unsigned build holds its nonce for ten minutes. */
const buildLifetime = 10 * 60_000

export interface BuildRequest {
  readonly wallet: Wallet
  readonly network: Network
  readonly calls: readonly Call[]
  readonly paymasterAndData: Hex
  readonly signMode: 'ECDSA' | 'WEBAUTHN'
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  readonly replaces?: Hash | undefined
  readonly allowRevert?: boolean | undefined
  /** Runs in the transaction that writes the row, for what must be there exactly when the row is. */
  readonly whenWritten?:
    | ((transaction: Transaction<Database>, built: BuiltOperation) => Promise<void>)
    | undefined
}

export interface BuiltOperation {
  readonly operation: UserOperation
  readonly userOpHash: Hash
  /** What the owner signs. */
  readonly safeOperationHash: Hash
}

/**
 * Builds a user operation: simulates, estimates, reserves a nonce and writes the row, all before anyone can sign.
 * When the process dies on the way nothing has happened; after the row is written, the build waits for its
 * signature or expires.
 *
 * @throws what `estimateOperation`, `requireFunds` and `reserveNonce` throw
 */
export async function buildOperation(
  dependencies: OperationDependencies,
  request: BuildRequest,
): Promise<BuiltOperation> {
  const {
    wallet,
    network,
    calls,
    paymasterAndData,
    signer,
    replaces,
    allowRevert = false,
    whenWritten,
  } = request
  const bundler = dependencies.bundlerFor(network.chainId)
  const estimateRequest = { wallet, network, bundler, calls, paymasterAndData, allowRevert, signer }
  const estimated = await estimateOperation(estimateRequest)
  await requireFunds(estimateRequest, estimated)
  await dependencies.checkpoint('build:estimated')

  const now = dependencies.now()
  const account = wallet.address.toLowerCase()
  const built = await dependencies.database.transaction().execute(async (transaction) => {
    const { state, fees } = estimated
    const reservation = await reserveNonce(transaction, {
      account,
      network: network.chainId,
      state,
      fees,
      replaces,
      now,
    })
    const { signature: _stub, ...estimatedOperation } = estimated.operation
    const operation: UserOperation = {
      ...estimatedOperation,
      nonce: toNonce(reservation),
      maxFeePerGas: reservation.fees.maxFeePerGas,
      maxPriorityFeePerGas: reservation.fees.maxPriorityFeePerGas,
    }
    const hashes = hashesOf(operation, wallet, network)
    await supersedeBuilds(
      transaction,
      reservation.superseded.map(({ user_op_hash }) => user_op_hash),
    )
    await insertBuild(transaction, toRow(request, reservation, operation, hashes, now))
    const written = { operation, ...hashes }
    await whenWritten?.(transaction, written)
    return written
  })
  await dependencies.checkpoint('build:written')
  return built
}

function hashesOf(operation: UserOperation, wallet: Wallet, { chainId, config }: Network) {
  const { entryPoint } = config
  return {
    userOpHash: getUserOperationHash(operation, { chainId, entryPoint }),
    safeOperationHash: getSafeOperationHash(operation, {
      chainId,
      entryPoint,
      module: wallet.deployment.module,
      validAfter: 0,
      validUntil: 0,
    }),
  }
}

function toRow(
  { wallet, network, calls, signMode, replaces }: BuildRequest,
  { key, sequence }: NoncePosition,
  operation: UserOperation,
  { userOpHash, safeOperationHash }: ReturnType<typeof hashesOf>,
  now: Date,
): NewOperationRow {
  return {
    user_op_hash: userOpHash,
    account: wallet.address.toLowerCase(),
    network: network.chainId,
    entry_point: network.config.entryPoint.toLowerCase(),
    nonce_key: key,
    nonce_sequence: sequence,
    user_op: JSON.stringify(toWireUserOperation(operation)),
    safe_op_hash: safeOperationHash,
    valid_after: 0,
    valid_until: 0,
    sign_mode: signMode,
    value: calls.reduce((sum, { value }) => sum + value, 0n),
    deploys: operation.initCode !== '0x',
    replaces: replaces ?? null,
    state: 'built',
    built_at: now,
    build_expires_at: new Date(now.getTime() + buildLifetime),
  }
}

/** The identical operation may be built twice at the same nonce and fees: then it is the same row again. */
async function insertBuild(transaction: Transaction<Database>, row: NewOperationRow): Promise<void> {
  const inserted = await transaction
    .insertInto('operations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('user_op_hash')
        .doUpdateSet({
          state: 'built',
          final: false,
          built_at: row.built_at,
          build_expires_at: row.build_expires_at,
          reason_code: null,
          reason_message: null,
        })
        .where('operations.signature', 'is', null),
    )
    .returning('user_op_hash')
    .executeTakeFirst()
  if (inserted) return
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message: 'This very operation is signed and under way.',
    details: { userOpHash: row.user_op_hash },
  })
}
