import { createHash, sign } from 'node:crypto'
import { randomBytes, randomP256KeyPair } from '@lanyard/testing'
import { bytesToBigInt } from 'viem'

export interface SoftwareAuthenticatorOptions {
  readonly rpId?: string
  readonly origin?: string
  /** Members that Chrome sometimes adds to clientDataJSON after the standard ones. */
  readonly extraClientData?: Readonly<Record<string, unknown>>
}

export interface CeremonyOptions {
  /** The challenge's bytes. */
  readonly challenge: Uint8Array
  /** `false`: the authenticator did not verify the user. */
  readonly userVerified?: boolean
  /** `false`: clientDataJSON has a non-standard member order, as from some authenticators. */
  readonly standardOrder?: boolean
}

/**
 * A software passkey for tests: one ES256 credential on node:crypto. `create` and `get` return what
 * `navigator.credentials` returns, as bytes; {@link toJson} makes the JSON that is sent to a relying party.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(16)
  /** The point of the public key. */
  readonly publicKey: { readonly x: bigint; readonly y: bigint }
  /** The same as a COSE_Key (RFC 9053 §7.1) in CTAP2 canonical CBOR. */
  readonly cosePublicKey: Uint8Array
  readonly rpId: string
  readonly origin: string
  readonly #extraClientData: Readonly<Record<string, unknown>>
  readonly #privateKey
  /** Synced passkeys stay at 0; a test may increment it. */
  signCount = 0

  constructor(options: SoftwareAuthenticatorOptions = {}) {
    this.rpId = options.rpId ?? 'localhost'
    this.origin = options.origin ?? 'http://localhost:3000'
    this.#extraClientData = options.extraClientData ?? {}
    const { publicKey, privateKey } = randomP256KeyPair()
    this.#privateKey = privateKey
    const jwk = publicKey.export({ format: 'jwk' })
    const x = Buffer.from(jwk.x ?? '', 'base64url')
    const y = Buffer.from(jwk.y ?? '', 'base64url')
    this.publicKey = { x: bytesToBigInt(x), y: bytesToBigInt(y) }
    this.cosePublicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      x,
      Buffer.from('225820', 'hex'),
      y,
    ])
  }

  /** A registration with attestation "none". */
  create(options: CeremonyOptions): { clientDataJSON: Uint8Array; attestationObject: Uint8Array } {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const attestedCredential = Buffer.concat([
      Buffer.alloc(16), // AAGUID: none
      length,
      this.credentialId,
      this.cosePublicKey,
    ])
    const authenticatorData = this.#authenticatorData(options, attestedCredential)
    return {
      clientDataJSON: this.#clientData('webauthn.create', options),
      // {"fmt": "none", "attStmt": {}, "authData": bytes} in CBOR
      attestationObject: Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authenticatorData.length]),
        authenticatorData,
      ]),
    }
  }

  /** An assertion. */
  get(options: CeremonyOptions): {
    authenticatorData: Uint8Array
    clientDataJSON: Uint8Array
    /** DER. */
    signature: Uint8Array
  } {
    const authenticatorData = this.#authenticatorData(options)
    const clientDataJSON = this.#clientData('webauthn.get', options)
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
    return { authenticatorData, clientDataJSON, signature: sign('sha256', signed, this.#privateKey) }
  }

  /** Converts the result of a ceremony to `RegistrationResponseJSON` or `AuthenticationResponseJSON`. */
  toJson<response extends Record<string, Uint8Array>>(response: response) {
    const id = this.credentialId.toString('base64url')
    const encoded = Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]),
    )
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      // fromEntries loses the names, which are those of `response`.
      response: encoded as { [name in keyof response]: string },
    }
  }

  #authenticatorData({ userVerified = true }: CeremonyOptions, attestedCredential?: Buffer): Buffer {
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attestedCredential ? 0x40 : 0)
    const flagsAndCount = Buffer.alloc(5)
    flagsAndCount.writeUInt8(flags)
    flagsAndCount.writeUInt32BE(this.signCount, 1)
    return Buffer.concat([
      sha256(Buffer.from(this.rpId)),
      flagsAndCount,
      attestedCredential ?? Buffer.alloc(0),
    ])
  }

  /** WebAuthn L3 §5.8.1.1. */
  #clientData(type: string, { challenge, standardOrder = true }: CeremonyOptions): Buffer {
    const claims = { type, challenge: Buffer.from(challenge).toString('base64url') }
    const rest = { origin: this.origin, crossOrigin: false, ...this.#extraClientData }
    return Buffer.from(JSON.stringify(standardOrder ? { ...claims, ...rest } : { ...rest, ...claims }))
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
