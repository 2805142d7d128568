import type { SignedUserOperation } from '@lanyard/accounts'
import { type OperationRow, type ReadVersion, rowVersion } from '@lanyard/database'
import type { Hex } from 'viem'
import { type SignedColumns, signedColumns, toSignedOperation } from '../operation-row.ts'

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

export type StoredOperationColumns = SignedColumns &
  Pick<OperationRow, 'signed_at' | 'built_at' | 'signed_at_block' | 'attempts' | 'reason_code'> &
  Pick<ReadVersion, 'version'>

/** The columns that {@link readStoredOperation} needs. */
export const storedOperationColumns = [
  ...signedColumns,
  'operations.signed_at',
  'operations.built_at',
  'operations.signed_at_block',
  'operations.attempts',
  'operations.reason_code',
  rowVersion.as('version'),
] as const

/** @throws INTERNAL as {@link toSignedOperation} */
export function readStoredOperation(row: StoredOperationColumns): StoredOperation {
  return {
    hash: row.user_op_hash as Hex, // written by this service from a hash
    operation: toSignedOperation(row),
    signedAt: row.signed_at ?? row.built_at,
    signedAtBlock: row.signed_at_block === null ? undefined : BigInt(row.signed_at_block),
    attempts: row.attempts,
    reasonCode: row.reason_code,
    version: row.version,
  }
}
