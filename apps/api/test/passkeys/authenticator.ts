import { createHash, type KeyObject, sign } from 'node:crypto'
import { randomBytes, randomP256KeyPair } from '@lanyard/testing'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The parts of ceremony options that an authenticator reads. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** The parts of authenticator data (WebAuthn L3 §6.1). A test can change one part and keep the others valid. */
export interface AuthenticatorData {
  rpId: string
  flags: number
  counter: number
  aaguid: Buffer
  credentialId: Buffer
  /** The encoded length of the credential id, if it should differ from the real one. */
  credentialIdLength?: number
  publicKey: Map<number, unknown>
  /** Bytes after the last part. */
  rest: Buffer
}

export const flag = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40, ed: 0x80 } as const

/** Changes to one ceremony. Each change is applied before the later steps encode and sign it. */
export interface Tampering {
  /** Changes the members of clientDataJSON. */
  readonly clientData?: (clientData: Record<string, unknown>) => void
  /** Changes clientDataJSON as text. */
  readonly clientDataText?: (text: string) => string | Buffer
  readonly authenticatorData?: (parts: AuthenticatorData) => void
  /** Changes the bytes of clientDataJSON. */
  readonly authenticatorBytes?: (bytes: Buffer) => Buffer
  /** Changes the members of the attestation object. */
  readonly attestation?: (map: Map<string, unknown>, signed: Signed) => void
  /** Changes the bytes of the attestation object. */
  readonly attestationBytes?: (bytes: Buffer) => Buffer
  /** The signing key. Default: the credential's own key. */
  readonly privateKey?: KeyObject
  /** Changes the signature in DER. */
  readonly signature?: (der: Buffer) => Buffer
  /** Changes the request body. */
  readonly body?: (body: Record<string, unknown> & { response: Record<string, unknown> }) => void
}

/** The bytes that an attestation signs. */
export interface Signed {
  readonly bytes: Buffer
  readonly sign: (bytes: Buffer) => Buffer
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/**
 * A software passkey with one ES256 credential. It also performs invalid ceremonies, which a real authenticator never
 * does.
 */
export class Authenticator {
  readonly credentialId: Buffer
  readonly privateKey: KeyObject
  readonly x: Buffer
  readonly y: Buffer
  readonly origin: string
  /** Synced passkeys keep the counter at 0. */
  counter = 0
  /** The flags of backup eligibility and backup state. */
  backup = 0
  userHandle: string | undefined

  constructor(origin: string, credentialId: Buffer = randomBytes(16)) {
    this.origin = origin
    this.credentialId = credentialId
    const { publicKey, privateKey } = randomP256KeyPair()
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.privateKey = privateKey
    this.x = Buffer.from(x, 'base64url')
    this.y = Buffer.from(y, 'base64url')
  }

  /** Its public key. */
  get point(): { readonly x: bigint; readonly y: bigint } {
    const read = (label: number) =>
      BigInt(`0x${Buffer.from(this.cosePublicKey().get(label) as Uint8Array).toString('hex')}`)
    return { x: read(-2), y: read(-3) }
  }

  get id(): string {
    return base64url(this.credentialId)
  }

  /** The response of `navigator.credentials.create` as JSON. */
  create({ challenge, rp, user }: CreationOptions, tampering: Tampering = {}) {
    this.userHandle = user.id
    const clientDataJSON = this.#clientData('webauthn.create', challenge, tampering)
    const authData = this.#authenticatorData(rp.id, flag.at, tampering)
    const key = tampering.privateKey ?? this.privateKey
    const signed = {
      bytes: Buffer.concat([authData, sha256(clientDataJSON)]),
      sign: (bytes: Buffer) => sign('sha256', bytes, key),
    }
    const map = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    tampering.attestation?.(map, signed)
    const encoded = Buffer.from(encodeCbor(map))
    const attestationObject = tampering.attestationBytes?.(encoded) ?? encoded
    return this.#body(
      {
        attestationObject: base64url(attestationObject),
        clientDataJSON: base64url(clientDataJSON),
        transports: ['internal', 'hybrid'],
      },
      tampering,
    )
  }

  /** The response of `navigator.credentials.get` as JSON. */
  get({ challenge, rpId }: RequestOptions, tampering: Tampering = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', challenge, tampering)
    const authenticatorData = this.#authenticatorData(rpId, 0, tampering)
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
    const der = sign('sha256', signed, tampering.privateKey ?? this.privateKey)
    const signature = tampering.signature?.(der) ?? der
    return this.#body(
      {
        authenticatorData: base64url(authenticatorData),
        clientDataJSON: base64url(clientDataJSON),
        signature: base64url(signature),
        ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
      },
      tampering,
    )
  }

  /** COSE_Key, ES256 (RFC 9053 §7.1). */
  cosePublicKey(): Map<number, unknown> {
    return new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(this.x)],
      [-3, new Uint8Array(this.y)],
    ])
  }

  #body(response: Record<string, unknown>, { body: tamper }: Tampering) {
    const body: Record<string, unknown> & { response: Record<string, unknown> } = {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
    tamper?.(body)
    return body
  }

  #clientData(type: string, challenge: string, { clientData, clientDataText }: Tampering): Buffer {
    const members: Record<string, unknown> = { type, challenge, origin: this.origin, crossOrigin: false }
    clientData?.(members)
    const text = JSON.stringify(members)
    return Buffer.from(clientDataText?.(text) ?? text)
  }

  #authenticatorData(rpId: string, more: number, tampering: Tampering): Buffer {
    const parts: AuthenticatorData = {
      rpId,
      flags: flag.up | flag.uv | this.backup | more,
      counter: this.counter,
      aaguid: Buffer.alloc(16),
      credentialId: this.credentialId,
      publicKey: this.cosePublicKey(),
      rest: Buffer.alloc(0),
    }
    tampering.authenticatorData?.(parts)
    const head = Buffer.alloc(5)
    head.writeUInt8(parts.flags)
    head.writeUInt32BE(parts.counter, 1)
    const bytes = Buffer.concat([
      sha256(parts.rpId),
      head,
      ...((parts.flags & flag.at) !== 0 ? attestedCredential(parts) : []),
      parts.rest,
    ])
    return tampering.authenticatorBytes?.(bytes) ?? bytes
  }
}

function attestedCredential({
  aaguid,
  credentialId,
  credentialIdLength,
  publicKey,
}: AuthenticatorData): Buffer[] {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialIdLength ?? credentialId.length)
  return [aaguid, length, credentialId, Buffer.from(encodeCbor(publicKey))]
}

/** A CBOR encoder for maps, text, bytes and integers. */
export function encodeCbor(value: unknown): Uint8Array {
  return isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]) // a test may pass any value
}
