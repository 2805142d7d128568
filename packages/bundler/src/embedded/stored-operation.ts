import { fromWireUserOperation, type SignedUserOperation, type WireUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type OperationRow, type ReadVersion, rowVersion } from '@lanyard/database'
import type { Address, Hex } from 'viem'

/** An operation of the queue: its row, read and checked. */
export interface StoredOperation extends ReadVersion {
  readonly hash: Hex
  readonly operation: SignedUserOperation
  readonly signedAt: Date
  readonly signedAtBlock: bigint | undefined
  readonly attempts: number
  /** Why it waits, as its row says. */
  readonly reasonCode: string | null
}

export type StoredOperationColumns = Pick<
  OperationRow,
  | 'user_op_hash'
  | 'user_op'
  | 'entry_point'
  | 'signature'
  | 'eip7702_auth'
  | 'signed_at'
  | 'built_at'
  | 'signed_at_block'
  | 'attempts'
  | 'reason_code'
> &
  Pick<ReadVersion, 'version'>

/** The columns that {@link readStoredOperation} needs. */
export const storedOperationColumns = [
  'operations.user_op_hash',
  'operations.user_op',
  'operations.entry_point',
  'operations.signature',
  'operations.eip7702_auth',
  'operations.signed_at',
  'operations.built_at',
  'operations.signed_at_block',
  'operations.attempts',
  'operations.reason_code',
  rowVersion.as('version'),
] as const

/** @throws INTERNAL if the row does not have the form that this service writes. */
export function readSignedOperation(
  row: Pick<OperationRow, 'user_op_hash' | 'user_op' | 'entry_point' | 'signature' | 'eip7702_auth'>,
): SignedUserOperation {
  // fromWireUserOperation checks every field of its input
  const read = fromWireUserOperation(row.user_op as WireUserOperation)
  if (!read.ok || row.signature === null) {
    throw new LanyardError('INTERNAL', { cause: `operations.${row.user_op_hash} is malformed` })
  }
  return {
    ...read.operation,
    entryPoint: row.entry_point as Address, // the column holds an address
    signature: row.signature as Hex, // written as hex
    ...(row.eip7702_auth && { authorization: row.eip7702_auth }),
  }
}

/** @throws INTERNAL as {@link readSignedOperation} */
export function readStoredOperation(row: StoredOperationColumns): StoredOperation {
  return {
    hash: row.user_op_hash as Hex, // written by this service from a hash
    operation: readSignedOperation(row),
    signedAt: row.signed_at ?? row.built_at,
    signedAtBlock: row.signed_at_block === null ? undefined : BigInt(row.signed_at_block),
    attempts: row.attempts,
    reasonCode: row.reason_code,
    version: row.version,
  }
}
