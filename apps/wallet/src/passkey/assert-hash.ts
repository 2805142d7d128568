import type { WebAuthnAssertion } from '@lanyard/accounts'
import type { AssertionResponse } from '@lanyard/client'
import { base64URLStringToBuffer, bufferToBase64URLString } from '@simplewebauthn/browser'
import { type Hash, hexToBytes } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { askPasskey } from './ceremonies.ts'

/** A passkey's answer to a hash. */
interface HashAssertion {
  readonly credentialId: string
  readonly assertion: WebAuthnAssertion
  /** The same as the browser wrote it. */
  readonly response: AssertionResponse
}

/**
 * Signs a hash that this device computed, with one touch of a passkey of the account.
 *
 * @throws errors of the ceremony and the service
 */
export async function assertHash(
  { username, credentialId }: Pick<Session, 'username' | 'credentialId'>,
  hash: Hash,
): Promise<HashAssertion> {
  // Only the site and the list of passkeys are taken from these options: the challenge is the hash.
  const { passkeyAuthenticationOptions: options } = await trpc.webauthn.authenticateOptions.query({
    username,
  })
  const own = options.allowCredentials?.filter(({ id }) => id === credentialId) ?? []
  const { id, response } = await askPasskey({
    ...options,
    challenge: bufferToBase64URLString(new Uint8Array(hexToBytes(hash)).buffer),
    allowCredentials: own.length > 0 ? own : options.allowCredentials,
  })
  return {
    credentialId: id,
    response,
    assertion: {
      authenticatorData: bytesOf(response.authenticatorData),
      clientDataJSON: bytesOf(response.clientDataJSON),
      signature: bytesOf(response.signature),
    },
  }
}

const bytesOf = (text: string) => new Uint8Array(base64URLStringToBuffer(text))
