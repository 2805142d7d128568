import { decodeRevert, type GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { explainRefusal } from '@lanyard/session-keys'
import type { RevertReason } from '../operations/operation-signer.ts'
import { sessionRefused } from './session-refused.ts'

/**
 * Why the calls of a session failed: the session's limits reject a call (SESSION_REFUSED), or the called
 * contract reverted (EXECUTION_REVERTED). SessionKeys names the call, so no call is simulated alone.
 */
export function explainSessionRevert({ revertData }: GasEstimate['execution']): RevertReason {
  const refusal = explainRefusal(revertData)
  if (refusal && refusal.rule !== 'CallFailed') return { error: sessionRefused(refusal), isLasting: true }
  const { reason } = decodeRevert(refusal?.reason ?? revertData)
  const call = refusal?.call
  const error = new LanyardError('EXECUTION_REVERTED', {
    message: `${call === undefined ? 'The operation' : `Call ${call}`} would revert: ${reason}. Send allowRevert: true to build it anyway.`,
    ...(call !== undefined && { issues: [{ path: `transactionDetails.${call}`, message: reason }] }),
    details: {
      ...(refusal && { rule: refusal.rule }),
      ...(call !== undefined && { call }),
      reason,
      revertData: refusal?.reason ?? revertData,
    },
  })
  return { error, isLasting: false }
}
