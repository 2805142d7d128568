import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { sessionRefused } from './session-refused.ts'
import type { SessionSigner } from './session-signer.ts'

/**
 * Refuses an operation that could cost the account more than its session allows for one. A stub shows this only
 * without gas limits, so it is asked when they are known.
 *
 * @throws SESSION_REFUSED, FeeTooHigh
 */
export function requireSessionFee({ session }: SessionSigner, operation: UserOperation): void {
  if (operation.paymasterAndData !== '0x') return
  const fee = requiredPrefund(operation)
  const { feePerOperation } = session
  if (fee <= feePerOperation) return
  throw sessionRefused({
    rule: 'FeeTooHigh',
    message: `The operation can cost ${fee} wei; the session allows ${feePerOperation} wei for each.`,
  })
}
