import { t } from '../i18n/t.ts'
import type { ErrorText } from './error-text.ts'

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
export function describeCeremonyError(error: unknown): ErrorText | undefined {
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
