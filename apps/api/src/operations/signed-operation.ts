import { fromWireUserOperation, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Hex } from 'viem'

/**
 * The operation of a row as EntryPoint takes it, with its signature.
 *
 * @throws INTERNAL when the row is not signed
 */
export function toSignedOperation(row: OperationRow): SignedUserOperation {
  if (row.signature === null) {
    throw new LanyardError('INTERNAL', { cause: `operation ${row.user_op_hash} is not signed` })
  }
  const wire = row.user_op as Parameters<typeof fromWireUserOperation>[0] // written by ourselves, in this form
  return { ...fromWireUserOperation(wire), signature: row.signature as Hex } // the column holds hex
}
