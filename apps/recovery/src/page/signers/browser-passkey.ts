import { type Hash, hexToBytes } from 'viem'
import { RecoveryError } from '../../recovery-error.ts'

/**
 * One ceremony with a passkey of this browser (WebAuthn L3 §5.1.4), with the hash as its challenge.
 *
 * @throws RecoveryError UNUSABLE_ASSERTION if the person closes the prompt, or there is no passkey
 */
export async function assertInBrowser(hash: Hash, rpId: string, credentialIds: readonly string[]) {
  const credential = await navigator.credentials
    .get({
      publicKey: {
        challenge: new Uint8Array(hexToBytes(hash)),
        rpId,
        userVerification: 'required',
        allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: fromBase64Url(id) })),
      },
    })
    .catch((cause: unknown) => {
      throw new RecoveryError(
        'UNUSABLE_ASSERTION',
        'No passkey signed: the prompt was closed, or this device has no passkey for this page.',
        {
          cause,
        },
      )
    })
  const response = credential instanceof PublicKeyCredential ? credential.response : undefined
  if (!(response instanceof AuthenticatorAssertionResponse)) {
    throw new RecoveryError('UNUSABLE_ASSERTION', 'The browser returned no signature.')
  }
  return {
    authenticatorData: new Uint8Array(response.authenticatorData),
    clientDataJSON: new Uint8Array(response.clientDataJSON),
    signature: new Uint8Array(response.signature),
  }
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/**
 * Whether a page of this host may use passkeys of a domain: the host is the domain or a subdomain (WebAuthn
 * L3 §5.1.3).
 */
export const isWithin = (host: string, rpId: string): boolean => host === rpId || host.endsWith(`.${rpId}`)
