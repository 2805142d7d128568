import { type OperationRow, repairInclusion } from '@lanyard/database'
import type { Hex } from 'viem'
import type { Inclusion } from '../../../domain/operations/track/inclusion.ts'
import type { RepairContext } from './context.ts'
import type { Difference } from './difference.ts'
import { readIncludedOperation } from './read-included-operation.ts'

/**
 * Writes an inclusion that a final block has, over whatever the row said. Where the row has no signature, since the owner
 * went past this service, it is the one in the transaction's call data; an operation that a contract brought stays as it is.
 */
export function repairOperation(
  { network, now }: RepairContext,
  row: OperationRow,
  inclusion: Inclusion,
): NonNullable<Difference['repair']> {
  return async (database) => {
    const signature = row.signature ?? (await readSignature())
    if (signature === undefined) return false
    return repairInclusion(database, row, { inclusion, signature, now })
  }

  async function readSignature(): Promise<Hex | undefined> {
    const { txnHash, userOpHash } = inclusion
    const operation = await readIncludedOperation(network, { txnHash, userOpHash })
    return operation?.signature
  }
}
