import { LanyardError } from '@lanyard/contracts'
import type { Refusal } from '@lanyard/session-keys'

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
