import { createHash, type KeyObject, sign } from 'node:crypto'
import { randomBytes, randomP256KeyPair } from '@lanyard/testing'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a ceremony's options say that an authenticator looks at. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** Authenticator data in parts (WebAuthn L3 §6.1), so that a test can change one and have the rest be right. */
export interface AuthenticatorData {
  rpId: string
  flags: number
  counter: number
  aaguid: Buffer
  credentialId: Buffer
  /** Length of the credential id as it is written, when it is not the real one. */
  credentialIdLength?: number
  publicKey: Map<number, unknown>
  /** Whatever follows. */
  rest: Buffer
}

export const flag = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40, ed: 0x80 } as const

/** Changes to one ceremony, each before everything after it is encoded and signed. */
export interface Tampering {
  /** The members of clientDataJSON. */
  readonly clientData?: (clientData: Record<string, unknown>) => void
  /** clientDataJSON as text. */
  readonly clientDataText?: (text: string) => string | Buffer
  readonly authenticatorData?: (parts: AuthenticatorData) => void
  /** Its bytes. */
  readonly authenticatorBytes?: (bytes: Buffer) => Buffer
  /** The members of the attestation object. */
  readonly attestation?: (map: Map<string, unknown>, signed: Signed) => void
  /** Its bytes. */
  readonly attestationBytes?: (bytes: Buffer) => Buffer
  /** What is signed with, the credential's own key unless told otherwise. */
  readonly privateKey?: KeyObject
  /** The signature in DER. */
  readonly signature?: (der: Buffer) => Buffer
  /** The body as it is sent. */
  readonly body?: (body: Record<string, unknown> & { response: Record<string, unknown> }) => void
}

/** What an attestation's signature covers. */
export interface Signed {
  readonly bytes: Buffer
  readonly sign: (bytes: Buffer) => Buffer
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A passkey in software: one ES256 credential. It does what it is told, also what no honest one would do. */
export class Authenticator {
  readonly credentialId: Buffer
  readonly privateKey: KeyObject
  readonly x: Buffer
  readonly y: Buffer
  readonly origin: string
  /** 0 → 0 is what synced passkeys do. */
  counter = 0
  /** Backup eligibility and state, as flags. */
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

  get id(): string {
    return base64url(this.credentialId)
  }

  /** What `navigator.credentials.create` makes of the options, as JSON. */
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

  /** What `navigator.credentials.get` makes of the options, as JSON. */
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

/** CBOR of maps, text, bytes and integers. */
export function encodeCbor(value: unknown): Uint8Array {
  return isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]) // a test may hand it anything
}
