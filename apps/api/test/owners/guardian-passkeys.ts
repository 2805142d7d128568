import { encodePasskeySignature, type PasskeyOwner } from '@lanyard/accounts'
import { bytesToHex, type Hash, hexToBytes, numberToHex } from 'viem'
import type { Authenticator } from '../passkeys/authenticator.ts'

const bytesOf = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'))

/** A passkey's signature over a hash, as its signer contract takes it. */
export function signAsPasskey(passkey: Authenticator, hash: Hash) {
  const challenge = Buffer.from(hexToBytes(hash)).toString('base64url')
  const { response } = passkey.get({ challenge, rpId: 'localhost' })
  const encoded = encodePasskeySignature({
    hash,
    assertion: {
      authenticatorData: bytesOf(response.authenticatorData),
      clientDataJSON: bytesOf(response.clientDataJSON),
      signature: bytesOf(response.signature),
    },
  })
  if (!encoded.ok) throw new Error(encoded.message)
  return encoded.signature
}

/** A passkey as requests name it. */
export const namedKey = ({ x, y }: Authenticator) => ({ x: bytesToHex(x), y: bytesToHex(y) })

/** A passkey with all that decides its address. */
export const fullKey = ({ x, y, verifiers }: PasskeyOwner) => ({
  x: numberToHex(x, { size: 32 }),
  y: numberToHex(y, { size: 32 }),
  verifiers: numberToHex(verifiers, { size: 22 }),
})
