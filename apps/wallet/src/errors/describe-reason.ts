import { t } from '../i18n/t.ts'
import { serviceText } from './service-text.ts'

/** By code. A wallet does not retell why a bundler waits. */
const texts: Readonly<Record<string, string>> = {
  REPLACED: t('Another transaction took its place.'),
  REBUILD: t('It can no longer be included.'),
  REORGED: t('The network removed its block. It is sent again.'),
  FEE_TOO_LOW: t('Network fees have risen.'),
  INSUFFICIENT_FUNDS: t('You do not have enough of this network’s coin for this and its fee.'),
  OPERATION_REFUSED: t('The network would refuse this transaction.'),
  INVALID_SIGNATURE: t('This signature is not by an owner of your account.'),
  PAYMASTER_REFUSED: t('The operator cannot pay the network fee at the moment.'),
  NETWORK_UNAVAILABLE: t('This network is not responding.'),
  NETWORK_FAILED: t('This network gave an invalid answer.'),
  BUNDLER_UNAVAILABLE: t('Transactions cannot be sent on this network at the moment.'),
  BUNDLER_FAILED: t('Transactions cannot be sent on this network at the moment.'),
}

/** Why an operation failed, was dropped or waits, in a sentence. */
export function describeReason({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): string {
  // What a contract says is its own text.
  if (code === 'EXECUTION_REVERTED')
    return message === ''
      ? t('The network undid the calls.')
      : t('The contract says: {reason}.', { reason: message })
  return texts[code] ?? serviceText(message)
}
