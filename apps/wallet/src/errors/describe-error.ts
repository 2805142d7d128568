import { t } from '../i18n/t.ts'
import { describeServiceError } from './describe-service-error.ts'
import { type ErrorText, ExplainedError, serviceText } from './error-text.ts'
import { isUnreachable, readServiceError } from './service-error.ts'
import { WalletError } from './wallet-error.ts'

/** Describes any error of this wallet in two sentences: what happened, and what to do. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof WalletError)
    return {
      title: error.message,
      advice: t(
        'Nothing was signed, and your account stays yours. Do not use this service until its operator has explained why.',
      ),
    }
  if (error instanceof ExplainedError) return error.text
  const service = readServiceError(error)
  if (service) return describeServiceError(service)
  if (isUnreachable(error) && navigator.onLine === false)
    return {
      title: t('You are offline.'),
      advice: t('Nothing was sent, and nothing will be sent later. Try again when you are connected.'),
    }
  if (isUnreachable(error))
    return {
      title: t('The service is not responding.'),
      advice: t('Check your connection, then try again. Your account is safe either way.'),
    }
  return (
    describeCeremonyError(error) ?? {
      title: t('Something unexpected happened on this page.'),
      advice: t('Reload it and try again. Nothing was signed.'),
    }
  )
}

/**
 * By `DOMException.name` (WebAuthn L3 §5.1.3, §5.1.4), the only part on which browsers agree. NotFoundError
 * means that IndexedDB lacks the session key (sessions/act-in-session.ts).
 */
const byName: Readonly<Record<string, ErrorText>> = {
  NotAllowedError: {
    title: t('The passkey prompt was closed or timed out.'),
    advice: t('Try again when you are ready.'),
    quiet: true,
  },
  AbortError: {
    title: t('The passkey prompt was closed.'),
    advice: t('Try again when you are ready.'),
    quiet: true,
  },
  InvalidStateError: {
    title: t('This device already has a passkey for this account.'),
    advice: t('Sign in with it instead, or use another device or security key.'),
  },
  SecurityError: {
    title: t('Passkeys of this service do not work at this web address.'),
    advice: t(
      'Open the wallet at the address that its operator gave you. On your own machine use http://localhost, not an IP address.',
    ),
  },
  NotFoundError: {
    title: t('This browser does not have the key any more.'),
    advice: t('Revoke the session key, and create another one here.'),
  },
  NotSupportedError: {
    title: t('This device cannot create the kind of passkey that you need.'),
    advice: t('Use a phone, a password manager or a security key that supports ES256 passkeys.'),
  },
  ConstraintError: {
    title: t('This passkey cannot confirm that it is you.'),
    advice: t('Set a PIN, fingerprint or face unlock on the device or security key, then try again.'),
  },
}

/** The text for a failed WebAuthn ceremony. Undefined for other errors. */
function describeCeremonyError(error: unknown): ErrorText | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 4;
    current = current.cause, depth++
  ) {
    const text = byName[current.name]
    if (text) return text
  }
  return undefined
}

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
