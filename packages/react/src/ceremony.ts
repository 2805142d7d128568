import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/**
 * Runs WebAuthn ceremonies (WebAuthn L3 §5.1). Options and responses are the standard's JSON. A rejection has the standard's name
 * (`NotAllowedError`: the person closed the prompt), or is the object of `react-native-passkey`, so its functions fit as they are.
 */
export interface Ceremony {
  /** Creates a passkey. The prompt closes when `signal` aborts, where the system can close it. */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    signal?: AbortSignal,
  ): Promise<RegistrationResponseJSON>
  /** Asks for a passkey's signature. */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    signal?: AbortSignal,
  ): Promise<AuthenticationResponseJSON>
}
