import { toHex } from 'viem'
import { defaultVerifiers } from '../src/index.ts'
import type { SoftwareAuthenticator } from './software-authenticator.ts'

/** A software passkey as a signer for Safe's SDKs. */
export const safePasskeySigner = (passkey: SoftwareAuthenticator) => ({
  rawId: passkey.credentialId.toString('hex'),
  coordinates: { x: toHex(passkey.publicKey.x), y: toHex(passkey.publicKey.y) },
  verifierAddress: toHex(defaultVerifiers, { size: 22 }),
  async getFn(options?: { publicKey?: { challenge?: unknown } }) {
    const { challenge } = options?.publicKey ?? {}
    if (!(challenge instanceof Uint8Array)) throw new TypeError('The SDK passes the challenge as bytes.')
    return { id: '', type: 'public-key', response: asBuffers(passkey.get({ challenge })) }
  },
})

/** Browsers return an ArrayBuffer for each field. */
const asBuffers = (response: Record<string, Uint8Array>) =>
  Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, new Uint8Array(bytes).buffer]))
