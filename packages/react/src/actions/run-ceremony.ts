import { browserSupportsWebAuthn, WebAuthnAbortService } from '@simplewebauthn/browser'
import { LanyardReactError } from '../react-error.ts'

/**
 * Runs a WebAuthn ceremony. The prompt closes when `signal` aborts.
 *
 * @throws LanyardReactError PASSKEYS_UNSUPPORTED; the browser's errors, AbortError after an abort
 */
export async function runCeremony<Answer>(
  signal: AbortSignal,
  start: () => Promise<Answer>,
): Promise<Answer> {
  if (!browserSupportsWebAuthn()) throw new LanyardReactError('PASSKEYS_UNSUPPORTED')
  signal.throwIfAborted()
  const close = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', close)
  try {
    const answer = await start()
    signal.throwIfAborted()
    return answer
  } finally {
    signal.removeEventListener('abort', close)
  }
}
