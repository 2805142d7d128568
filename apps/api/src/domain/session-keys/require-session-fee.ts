import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import type { Session } from '@lanyard/session-keys'
import { sessionRejected } from './session-rejected.ts'

/**
 * Rejects an operation that could cost the account more than its session allows for one operation. A stub
 * shows this only without gas limits, so it is checked when they are known.
 *
 * @throws SESSION_REFUSED, FeeTooHigh
 */
export function requireSessionFee({ feePerOperation }: Session, operation: UserOperation): void {
  if (operation.paymasterAndData !== '0x') return
  const fee = requiredPrefund(operation)
  if (fee <= feePerOperation) return
  throw sessionRejected({
    rule: 'FeeTooHigh',
    message: `The operation can cost ${fee} wei, and the session allows ${feePerOperation} wei for each operation.`,
  })
}
