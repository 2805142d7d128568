import { decodeRevert, type GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { explainRefusal } from '@lanyard/session-keys'
import type { Hex } from 'viem'
import { sessionRefused } from '../../session-keys/session-refused.ts'

/**
 * Why the calls of a session failed: its limits refuse one (SESSION_REFUSED), or the called contract itself did
 * (EXECUTION_REVERTED). SessionKeys names the call, so none is asked alone.
 */
export function sessionReverted({ revertData }: GasEstimate['execution']): LanyardError {
  const refusal = explainRefusal(revertData)
  if (refusal && refusal.rule !== 'CallFailed') return sessionRefused(refusal)
  const { reason } = decodeRevert(refusal?.reason ?? revertData)
  const call = refusal?.call
  return new LanyardError('EXECUTION_REVERTED', {
    message: `${call === undefined ? 'The operation' : `Call ${call}`} would revert: ${reason}. Send allowRevert: true to build it nevertheless.`,
    ...(call !== undefined && { issues: [{ path: `transactionDetails.${call}`, message: reason }] }),
    details: {
      ...(refusal && { rule: refusal.rule }),
      ...(call !== undefined && { call }),
      reason,
      revertData: refusal?.reason ?? revertData,
    },
  })
}

/** Why an operation reverted on chain, whoever signed it, in words. */
export function describeRevert(revertData: Hex): string {
  const refusal = explainRefusal(revertData)
  if (refusal && refusal.reason === undefined) return refusal.message
  return decodeRevert(refusal?.reason ?? revertData).reason
}
