import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { Ceremony } from './ceremony.ts'
import { LanyardReactError } from './react-error.ts'

/** The ceremonies of a browser. They throw LanyardReactError PASSKEYS_UNSUPPORTED, and the browser's errors. */
export const browserCeremony: Ceremony = {
  create: (optionsJSON, signal) => prompt(signal, () => startRegistration({ optionsJSON })),
  get: (optionsJSON, signal) => prompt(signal, () => startAuthentication({ optionsJSON })),
}

/** The prompt closes when `signal` aborts. */
async function prompt<Answer>(
  signal: AbortSignal | undefined,
  start: () => Promise<Answer>,
): Promise<Answer> {
  if (!browserSupportsWebAuthn()) throw new LanyardReactError('PASSKEYS_UNSUPPORTED')
  const close = () => WebAuthnAbortService.cancelCeremony()
  signal?.addEventListener('abort', close)
  try {
    return await start()
  } finally {
    signal?.removeEventListener('abort', close)
  }
}
