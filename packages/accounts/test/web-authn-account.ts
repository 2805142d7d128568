import { toHex } from 'viem'
import { toWebAuthnAccount, type WebAuthnAccount } from 'viem/account-abstraction'
import type { SoftwareAuthenticator } from './software-authenticator.ts'

type Assertion = ReturnType<SoftwareAuthenticator['get']>

/**
 * viem's account for a software passkey. `onAssertion` receives each assertion, because ECDSA is randomized.
 */
export function webAuthnAccountOf(
  authenticator: SoftwareAuthenticator,
  onAssertion: (assertion: Assertion) => void = () => {},
): WebAuthnAccount {
  const { x, y } = authenticator.publicKey
  return toWebAuthnAccount({
    credential: {
      id: authenticator.credentialId.toString('base64url'),
      publicKey: `${toHex(x, { size: 32 })}${toHex(y, { size: 32 }).slice(2)}`,
    },
    rpId: authenticator.rpId,
    async getFn(options) {
      const challenge = options?.publicKey?.challenge
      if (!(challenge instanceof Uint8Array)) throw new TypeError('ox passes the challenge as bytes.')
      const response = authenticator.get({ challenge })
      onAssertion(response)
      // Only the members of PublicKeyCredential that ox reads: Node has no DOM to make a real one.
      return { id: '', type: 'public-key', response, getClientExtensionResults: () => ({}) } as never
    },
  })
}
