import type { ErrorText } from '../errors/describe-error.ts'

/** By the contract's error; the service's own message counts in base units. */
const titles: Readonly<Record<string, string>> = {
  AllowanceExceeded: 'That is more than is left of the session’s allowance.',
  CallNotAllowed: 'The session does not allow this.',
  ForbiddenTarget: 'No session may do this.',
  ValueTooHigh: 'The session does not allow to send that much at once.',
  OperationsExhausted: 'The session has used all of its operations.',
  FeeTooHigh: 'Network fees are higher now than the session allows.',
  NoSession: 'This session was revoked.',
  SessionNotInForce: 'The session is not valid at this time.',
  OutsideValidity: 'The session is not valid at this time.',
  CallFailed: 'The session allows this, but it would fail on the network.',
}

/** Why a session could not act, from the error body of SESSION_REFUSED. */
export function describeRefusal(rule: unknown, message: string): ErrorText {
  return {
    title: (typeof rule === 'string' && titles[rule]) || message,
    advice: 'Nothing was sent. Stay within the limits, or grant a session that allows more.',
  }
}
