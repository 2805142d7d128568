import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { explainRefusal, type Refusal, type Session } from '@lanyard/session-keys'
import { isAddressEqual, size, slice } from 'viem'
import type { Payer } from '../operations/build-request.ts'
import type { RevertDecoder } from '../operations/dependencies.ts'

/** The error of a session's rejection for callers: `rule` is the contract's error. */
export function sessionRejected({ rule, message, call }: Refusal): LanyardError {
  return new LanyardError('SESSION_REFUSED', {
    message,
    ...(call !== undefined && { issues: [{ path: `transactionDetails.${call}`, message }] }),
    details: { rule, ...(call !== undefined && { call }) },
  })
}

/** The key has no session: the contract's NoSession. */
export const unknownSession = (network: number): LanyardError =>
  new LanyardError('UNKNOWN_SESSION', { details: { rule: 'NoSession', network } })

/** SessionKeys refuses grants of the owner, too. */
export const decodeSessionRevert: RevertDecoder = (revertData) => {
  const rejection = explainRefusal(revertData)
  if (!rejection) return undefined
  return rejection.reason === undefined
    ? { message: rejection.message.replace(/\.$/, '') }
    : { inner: rejection.reason }
}

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

/**
 * A session's operation must be paid by the account, or by the one paymaster that the session names.
 *
 * @throws SESSION_REFUSED, OtherPaymaster
 */
export function requireSessionPaymaster(session: Session, { draft }: Pick<Payer, 'draft'>): void {
  if (size(draft) < 20) return
  const paymaster = slice(draft, 0, 20)
  if (isAddressEqual(paymaster, session.paymaster)) return
  throw sessionRejected({
    rule: 'OtherPaymaster',
    message: `The session does not allow the paymaster ${paymaster}.`,
  })
}
