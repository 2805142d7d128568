import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

export type CreationOptions = EndpointOutput<typeof endpoints.webauthn.credentialOptions>
export type RequestOptions = EndpointOutput<
  typeof endpoints.webauthn.authenticateOptions
>['passkeyAuthenticationOptions']

// The schemas have `string` where the library has the standard's literals.

/** Creates a passkey by the service's options. @throws errors of the ceremony */
export const createPasskey = (options: CreationOptions) =>
  startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })

/** Asks for a passkey's signature by the service's options. @throws errors of the ceremony */
export const askPasskey = (options: RequestOptions) =>
  startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
