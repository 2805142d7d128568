import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { Ceremony } from '../ceremony.ts'

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
  const answer = await start()
  throwIfAborted(signal)
  return answer
}

/** Signals of phones have neither `throwIfAborted` nor `reason`. */
function throwIfAborted({ aborted, reason }: AbortSignal): void {
  if (aborted) throw reason ?? Object.assign(new Error('The action was stopped.'), { name: 'AbortError' })
}
