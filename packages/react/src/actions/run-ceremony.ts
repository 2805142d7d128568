import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { Ceremony } from '../ceremony.ts'
import { LanyardReactError } from '../react-error.ts'

/* The OpenAPI document has `string` where the standard has literals, so the options of the service are cast here. */

/** Creates a passkey with the service's options. @throws the ceremony's errors; the signal's reason after an abort */
export const createPasskey = (
  ceremony: Ceremony,
  options: object,
  signal: AbortSignal,
): Promise<RegistrationResponseJSON> =>
  unlessAborted(signal, () => ceremony.create(options as PublicKeyCredentialCreationOptionsJSON, signal))

/** Signs the challenge of the service's options with a passkey. @throws as {@link createPasskey} */
export const signWithPasskey = (
  ceremony: Ceremony,
  options: object,
  signal: AbortSignal,
): Promise<AuthenticationResponseJSON> =>
  unlessAborted(signal, () => ceremony.get(options as PublicKeyCredentialRequestOptionsJSON, signal))

/** Not every system can close a prompt: what is signed after an abort is not used. */
async function unlessAborted<Answer>(signal: AbortSignal, start: () => Promise<Answer>): Promise<Answer> {
  throwIfAborted(signal)
  const answer = await start().catch((cause: unknown) => {
    throw toError(cause)
  })
  throwIfAborted(signal)
  return answer
}

/** Signals of phones have neither `throwIfAborted` nor `reason`. */
function throwIfAborted({ aborted, reason }: AbortSignal): void {
  if (aborted) throw reason ?? Object.assign(new Error('The action was stopped.'), { name: 'AbortError' })
}

/** What `react-native-passkey` (3.6) throws as `{ error, message }`, by the names that the standard has for it. */
const standardNames: Readonly<Record<string, string>> = {
  UserCancelled: 'NotAllowedError',
  TimedOut: 'NotAllowedError',
  Interrupted: 'NotAllowedError',
  BadConfiguration: 'SecurityError',
  CredentialAlreadyExists: 'InvalidStateError',
  NoCreateOption: 'ConstraintError',
  NoCredentials: 'ConstraintError',
}

function toError(cause: unknown): unknown {
  if (cause instanceof Error || typeof cause !== 'object' || cause === null) return cause
  const { error, message } = cause as { readonly error?: unknown; readonly message?: unknown }
  if (error === 'NotSupported') return new LanyardReactError('PASSKEYS_UNSUPPORTED', { cause })
  const name = standardNames[String(error)] ?? String(error ?? 'UnknownError')
  return Object.assign(new Error(String(message ?? name), { cause }), { name })
}
