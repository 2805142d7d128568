import { fromWireUserOperation, type SignedUserOperation, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Address, Hex } from 'viem'

type Columns = Pick<OperationRow, 'user_op' | 'user_op_hash'> & Partial<Pick<OperationRow, 'entry_point'>>

/**
 * The operation of a row, unsigned.
 *
 * @param row - without `entry_point`, one that only EntryPoint v0.7 can have
 * @throws INTERNAL when the column does not hold what the service wrote
 */
export function toOperation(row: Columns): UserOperation {
  const wire = row.user_op as Parameters<typeof fromWireUserOperation>[0] // the value is validated here
  const result = fromWireUserOperation(wire)
  if (!result.ok)
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash}: ${result.message}` })
  if (row.entry_point === undefined) return result.operation
  return { ...result.operation, entryPoint: row.entry_point as Address } // the column holds an address
}

/**
 * The operation of a row with its signature, as EntryPoint takes it, and with the authorisation that it is sent with.
 *
 * @throws INTERNAL when the row is not signed
 */
export function toSignedOperation(row: OperationRow): SignedUserOperation {
  if (row.signature === null) {
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash} is not signed` })
  }
  return {
    ...toOperation(row),
    signature: row.signature as Hex, // the column holds hex
    ...(row.eip7702_auth && { authorization: row.eip7702_auth }),
  }
}
