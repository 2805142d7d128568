import { decodeRevert, type GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { explainRefusal } from '@lanyard/session-keys'
import type { RevertReason } from '../operations/operation-signer.ts'
import { sessionRejected } from './session-rejected.ts'

/**
 * Why the calls of a session failed: the session's limits reject a call (SESSION_REFUSED), or the called
 * contract reverted (EXECUTION_REVERTED). SessionKeys names the call, so no call is simulated alone.
 */
export function explainSessionRevert({ revertData }: GasEstimate['execution']): RevertReason {
  const rejection = explainRefusal(revertData)
  if (rejection && rejection.rule !== 'CallFailed')
    return { error: sessionRejected(rejection), isLasting: true }
  const { reason } = decodeRevert(rejection?.reason ?? revertData)
  const call = rejection?.call
  const error = new LanyardError('EXECUTION_REVERTED', {
    message: `${call === undefined ? 'The operation' : `Call ${call}`} would revert: ${reason}. Send allowRevert: true to build it anyway.`,
    ...(call !== undefined && { issues: [{ path: `transactionDetails.${call}`, message: reason }] }),
    details: {
      ...(rejection && { rule: rejection.rule }),
      ...(call !== undefined && { call }),
      reason,
      revertData: rejection?.reason ?? revertData,
    },
  })
  return { error, isLasting: false }
}
