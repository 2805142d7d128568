import { type OperationRow, repairInclusion } from '@lanyard/database'
import type { Hex } from 'viem'
import { type Inclusion, revertReasonOf } from '../../../domain/operations/track/inclusion.ts'
import { decodeSessionRevert } from '../../../domain/session-keys/decode-session-revert.ts'
import type { RepairContext } from './context.ts'
import type { Difference } from './difference.ts'
import { readIncludedOperation } from './read-included-operation.ts'

/**
 * Records an inclusion in a final block, regardless of the row's state. If the row has no signature, because
 * the owner sent the operation without this service, the signature is taken from the transaction's call data.
 * An operation that a contract submitted is not changed.
 */
export function repairOperation(
  { network, now }: RepairContext,
  row: OperationRow,
  inclusion: Inclusion,
): NonNullable<Difference['repair']> {
  return async (database) => {
    const signature = row.signature ?? (await readSignature())
    if (signature === undefined) return false
    const revertReason = revertReasonOf({ revertDecoders: [decodeSessionRevert] }, inclusion)
    return repairInclusion(database, row, { inclusion: { ...inclusion, revertReason }, signature, now })
  }

  async function readSignature(): Promise<Hex | undefined> {
    const { txnHash, userOpHash } = inclusion
    const operation = await readIncludedOperation(network, { txnHash, userOpHash })
    return operation?.signature
  }
}
