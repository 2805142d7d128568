import {
  fromWireUserOperation,
  type SignedUserOperation,
  type UserOperation,
  type WireUserOperation,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type OperationRow, type ReadVersion, rowVersion, type StoredAuthorization } from '@lanyard/database'
import type { Address, Hex } from 'viem'

/** The columns that {@link toSignedOperation} needs. */
export const signedColumns = [
  'operations.user_op_hash',
  'operations.user_op',
  'operations.entry_point',
  'operations.signature',
  'operations.eip7702_auth',
] as const

export type SignedColumns = Pick<
  OperationRow,
  (typeof signedColumns)[number] extends `operations.${infer Name extends keyof OperationRow}` ? Name : never
>

type Columns = Pick<OperationRow, 'user_op' | 'user_op_hash'> & Partial<Pick<OperationRow, 'entry_point'>>

/**
 * The operation of a row, unsigned.
 *
 * @param row - without `entry_point`, one that only EntryPoint v0.7 can have
 * @throws INTERNAL when the column does not hold what the service wrote
 */
export function toOperation(row: Columns): UserOperation {
  // fromWireUserOperation checks every field of its input
  const read = fromWireUserOperation(row.user_op as WireUserOperation)
  if (!read.ok)
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash}: ${read.message}` })
  if (row.entry_point === undefined) return read.operation
  return { ...read.operation, entryPoint: row.entry_point as Address } // the column holds an address
}

/**
 * The operation of a row with its signature, as EntryPoint takes it, and with the authorisation that it is sent with.
 *
 * @throws INTERNAL when the row is not signed, and as {@link toOperation}
 */
export function toSignedOperation(row: SignedColumns): SignedUserOperation {
  if (row.signature === null)
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash} is not signed` })
  return {
    ...toOperation(row),
    signature: row.signature as Hex, // the column holds hex
    ...(row.eip7702_auth && { authorization: row.eip7702_auth }),
  }
}

/** The row with the authorisation that its sender has signed with it; without one, as it is. */
export const withAuthorization = <Row extends Pick<OperationRow, 'eip7702_auth'>>(
  row: Row,
  authorization: StoredAuthorization | undefined,
): Row => (authorization ? { ...row, eip7702_auth: authorization } : row)

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
