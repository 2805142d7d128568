import { type Hash, hashTypedData } from 'viem'
import { type SafeOperationContext, safeOperationTypedData } from './safeOperationTypedData.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * The 32 bytes that an owner signs: the EIP-712 digest of the SafeOp, `Safe4337Module.getOperationHash`. It
 * is the service's `messageToSign`, and the challenge of a passkey.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
 */
export function getSafeOperationHash(operation: UserOperation, context: SafeOperationContext): Hash {
  return hashTypedData(safeOperationTypedData(operation, context))
}
