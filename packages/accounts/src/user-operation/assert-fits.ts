import { assertUint } from '../assert-uint.ts'
import type { UserOperation } from './user-operation.ts'

/**
 * Rejects an operation with a number that does not fit its field in EntryPoint v0.7's PackedUserOperation.
 *
 * @throws AccountsError OUT_OF_RANGE naming the field.
 */
export function assertFits(operation: UserOperation): void {
  for (const field of ['nonce', 'preVerificationGas'] as const) assertUint(operation[field], 256, field)
  for (const field of [
    'callGasLimit',
    'verificationGasLimit',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ] as const)
    assertUint(operation[field], 128, field)
}
