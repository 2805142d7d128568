import { type AccountOwner, defaultVerifiers } from '@lanyard/accounts'
import { P256, PublicKey, WebAuthnP256 } from 'ox'
import { type Hex, keccak256, stringToHex } from 'viem'
import type { WebAuthnAccount } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * Keys used only by the benchmarks. Both sign deterministically (RFC 6979), so the same operation has the
 * same signature.
 */
const keyOf = (name: string) => keccak256(stringToHex(`Lanyard bench: ${name}`))

export const eoa = privateKeyToAccount(keyOf('EOA'))
export const eoaOwner: AccountOwner = { kind: 'eoa', address: eoa.address }

const passkeyPrivateKey = keyOf('passkey')
const passkeyPublicKey = P256.getPublicKey({ privateKey: passkeyPrivateKey })
export const passkeyOwner: AccountOwner = {
  kind: 'passkey',
  x: passkeyPublicKey.x,
  y: passkeyPublicKey.y,
  verifiers: defaultVerifiers,
}

/** An authenticator's assertion for this challenge on http://localhost:3000. */
export function assertWithPasskey(challenge: Hex) {
  const { payload, metadata } = WebAuthnP256.getSignPayload({
    challenge,
    rpId: 'localhost',
    origin: 'http://localhost:3000',
    crossOrigin: false,
  })
  const { r, s } = P256.sign({ payload, privateKey: passkeyPrivateKey, hash: true })
  return { metadata, signature: { r, s } }
}

const refuse = () => Promise.reject(new TypeError('Only hashes of operations are signed here'))

/** The same passkey in viem's interface. */
export const webAuthnAccount: WebAuthnAccount = {
  type: 'webAuthn',
  id: 'bench',
  publicKey: PublicKey.toHex(passkeyPublicKey, { includePrefix: false }),
  async sign({ hash }) {
    const { metadata, signature } = assertWithPasskey(hash)
    return {
      signature: `0x${[signature.r, signature.s].map((word) => word.toString(16).padStart(64, '0')).join('')}`,
      webauthn: metadata,
      // A browser's PublicKeyCredential, which permissionless does not read.
      raw: undefined as never,
    }
  },
  signMessage: refuse,
  signTypedData: refuse,
}
