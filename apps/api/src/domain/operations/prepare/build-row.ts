import { getUserOperationHash, toWireUserOperation, type UserOperation } from '@lanyard/accounts'
import type { NewOperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'
import type { NoncePosition } from '../lanes.ts'
import type { Validity } from '../operation-signer.ts'
import { firstOwnerSigner } from '../signers/owner-signers.ts'
import type { BuildRequest, BuiltOperation } from './build-request.ts'

/** Milliseconds within which a build can be signed. */
const buildLifetime = 10 * 60_000

/** The hashes that identify an operation and that its owner signs. */
export function hashesOf(
  operation: UserOperation,
  wallet: AnyWallet,
  { chainId }: Network,
  validity: Validity,
) {
  const { entryPoint } = wallet.deployment
  return {
    userOpHash: getUserOperationHash(operation, { chainId, entryPoint }),
    safeOperationHash: accountOf(wallet).hashOperation(operation, { chainId, ...validity }),
  }
}

/** The row of a build. */
export function toRow(
  { wallet, network, calls, signer = firstOwnerSigner(wallet), replaces, builtBy }: BuildRequest,
  { key, sequence }: NoncePosition,
  { operation, userOpHash, safeOperationHash, validAfter, validUntil }: BuiltOperation,
  now: Date,
): NewOperationRow {
  return {
    user_op_hash: userOpHash,
    account: wallet.address.toLowerCase(),
    network: network.chainId,
    entry_point: wallet.deployment.entryPoint.toLowerCase(),
    nonce_key: key,
    nonce_sequence: sequence,
    user_op: toWireUserOperation(operation),
    safe_op_hash: safeOperationHash,
    valid_after: validAfter,
    valid_until: validUntil,
    sign_mode: signer.signMode,
    session_key: signer.stored ?? null,
    value: calls.reduce((sum, { value }) => sum + value, 0n),
    deploys: operation.initCode !== '0x',
    replaces: replaces ?? null,
    built_by: builtBy,
    state: 'built',
    built_at: now,
    build_expires_at: new Date(now.getTime() + buildLifetime),
  }
}
