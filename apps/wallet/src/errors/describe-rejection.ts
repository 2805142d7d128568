import { t } from '../i18n/t.ts'
import { type ErrorText, serviceText } from './error-text.ts'

/** By the contract's error. The service's own message uses base units. */
const titles: Readonly<Record<string, string>> = {
  AllowanceExceeded: t('That is more than is left of the key’s allowance.'),
  CallNotAllowed: t('The session key does not allow this.'),
  ForbiddenTarget: t('No session key can do this.'),
  ValueTooHigh: t('The session key does not allow sending that much at once.'),
  OperationsExhausted: t('The session key has used all of its transactions.'),
  FeeTooHigh: t('Network fees are higher now than the session key allows.'),
  NoSession: t('This session key was revoked.'),
  SessionNotInForce: t('The session key is not valid at this time.'),
  OutsideValidity: t('The session key is not valid at this time.'),
  CallFailed: t('The session key allows this, but it would fail on the network.'),
}

/** Why a session could not act, from the error body of SESSION_REFUSED. */
export function describeRejection(rule: unknown, message: string): ErrorText {
  return {
    title: (typeof rule === 'string' && titles[rule]) || serviceText(message),
    advice: t('Nothing was sent. Stay within the limits, or grant a key that allows more.'),
  }
}
