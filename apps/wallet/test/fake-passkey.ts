import { generateKeyPairSync } from 'node:crypto'
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
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async () => {
        if (!agrees) throw closed()
        return credential
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
