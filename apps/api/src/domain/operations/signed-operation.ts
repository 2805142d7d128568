import { fromWireUserOperation, type SignedUserOperation, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Hex } from 'viem'

/**
 * The operation of a row, unsigned.
 *
 * @throws INTERNAL when the column does not hold what the service wrote
 */
export function toOperation(row: Pick<OperationRow, 'user_op' | 'user_op_hash'>): UserOperation {
  const wire = row.user_op as Parameters<typeof fromWireUserOperation>[0] // the value is validated here
  const result = fromWireUserOperation(wire)
  if (result.ok) return result.operation
  throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash}: ${result.message}` })
}

/**
 * The operation of a row with its signature, as EntryPoint takes it.
 *
 * @throws INTERNAL when the row is not signed
 */
export function toSignedOperation(row: OperationRow): SignedUserOperation {
  if (row.signature === null) {
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash} is not signed` })
  }
  return { ...toOperation(row), signature: row.signature as Hex } // the column holds hex
}
