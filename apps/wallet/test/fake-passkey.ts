import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { vi } from 'vitest'

/** A browser whose passkey approves or declines everything. The authenticator is not part of the wallet. */
export function fakePasskey({ agrees = true }: { agrees?: boolean } = {}): void {
  vi.stubGlobal('PublicKeyCredential', class {})
  const bytes = new Uint8Array([1, 2, 3]).buffer
  const closed = () => new DOMException('The prompt was closed.', 'NotAllowedError')
  const credential = {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: bytes },
    getClientExtensionResults: () => ({}),
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const toBuffer = (data: Uint8Array) => new Uint8Array(data).buffer
  /** An assertion of the challenge, as an authenticator signs it. */
  const assert = (challenge: ArrayBuffer) => {
    const clientData = Buffer.from(
      JSON.stringify({
        type: 'webauthn.get',
        challenge: Buffer.from(challenge).toString('base64url'),
        origin: location.origin,
        crossOrigin: false,
      }),
    )
    const authenticatorData = Buffer.concat([
      createHash('sha256').update(location.hostname).digest(),
      Buffer.from([5, 0, 0, 0, 0]), // present and verified; no count
    ])
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    return {
      ...credential.response,
      authenticatorData: toBuffer(authenticatorData),
      clientDataJSON: toBuffer(clientData),
      signature: toBuffer(sign('sha256', signed, privateKey)),
    }
  }
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async ({ publicKey }: { publicKey: { challenge: ArrayBuffer } }) => {
        if (!agrees) throw closed()
        return { ...credential, response: assert(publicKey.challenge) }
      },
      create: async () => {
        if (!agrees) throw closed()
        const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        return {
          ...credential,
          response: {
            attestationObject: bytes,
            clientDataJSON: bytes,
            getPublicKey: () => new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })).buffer,
          },
        }
      },
    },
  })
}
