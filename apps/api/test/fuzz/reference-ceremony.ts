import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { decodeCbor } from './cbor.ts'

/**
 * A second implementation of the checks of WebAuthn L3 §7, without any code of the service. The service must not
 * accept what this implementation rejects.
 */
export interface Expected {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
}

// biome-ignore lint/suspicious/noExplicitAny: a body as it was sent, with any content
type Sent = any

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** Decodes base64 or base64url, padded or not. Throws on any other text. */
function bytesOf(text: unknown): Buffer {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new TypeError('not base64')
  return Buffer.from(text.replaceAll('+', '-').replaceAll('/', '_'), 'base64url')
}

function require(condition: boolean, what: string): void {
  if (!condition) throw new TypeError(what)
}

function checkClientData(bytes: Buffer, type: string, { challenge, origin }: Expected): void {
  const data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  require(data.type === type, 'type')
  require(data.challenge === challenge, 'challenge')
  require(data.origin === origin, 'origin')
  require(data.crossOrigin === undefined || data.crossOrigin === false, 'crossOrigin')
  require(data.topOrigin === undefined, 'topOrigin')
}

/** Checks the first 37 bytes of authenticator data (§6.1) and returns the rest. */
function checkHead(data: Buffer, rpId: string) {
  require(data.length >= 37, 'length')
  require(data.subarray(0, 32).equals(sha256(rpId)), 'rpIdHash')
  const flags = data.readUInt8(32)
  require((flags & 0x01) !== 0, 'user present')
  require((flags & 0x04) !== 0, 'user verified')
  require((flags & 0x10) === 0 || (flags & 0x08) !== 0, 'backed up without being eligible')
  return { flags, counter: data.readUInt32BE(33), rest: data.subarray(37) }
}

function attestedCredential(rest: Buffer) {
  const length = rest.readUInt16BE(16)
  const id = rest.subarray(18, 18 + length)
  require(id.length === length && length > 0 && length <= 1023, 'credential id')
  const { item, rest: after } = decodeCbor(rest.subarray(18 + length))
  require(item instanceof Map, 'COSE key')
  return { id, cose: item as ReadonlyMap<unknown, unknown>, after }
}

function toKey(cose: ReadonlyMap<unknown, unknown>): KeyObject {
  require(cose.get(1) === 2 && cose.get(3) === -7 && cose.get(-1) === 1, 'ES256')
  const [x, y] = [cose.get(-2), cose.get(-3)]
  if (!Buffer.isBuffer(x) || !Buffer.isBuffer(y) || x.length !== 32 || y.length !== 32)
    throw new TypeError('point')
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  return createPublicKey({ key: jwk, format: 'jwk' }) // throws if the point is not on the curve
}

function sameId(sent: Sent, id: Buffer): void {
  require(bytesOf(sent.id).equals(id) && bytesOf(sent.rawId).equals(id), 'id')
}

/** @throws TypeError, RangeError or SyntaxError that names the problem of a registration */
export function requireRegistration(sent: Sent, expected: Expected): void {
  const clientData = bytesOf(sent.response.clientDataJSON)
  checkClientData(clientData, 'webauthn.create', expected)
  const { item, rest } = decodeCbor(bytesOf(sent.response.attestationObject))
  require(item instanceof Map && rest.length === 0, 'attestation object')
  const object = item as ReadonlyMap<unknown, unknown>
  const data = object.get('authData')
  const statement = object.get('attStmt')
  if (!Buffer.isBuffer(data) || !(statement instanceof Map)) throw new TypeError('attestation object')
  const { flags, rest: attested } = checkHead(data, expected.rpId)
  require((flags & 0x40) !== 0, 'attested credential')
  const { id, cose, after } = attestedCredential(attested)
  sameId(sent, id)
  const key = toKey(cose)
  if ((flags & 0x80) === 0) require(after.length === 0, 'trailing bytes')
  else require(decodeCbor(after).rest.length === 0, 'extensions')
  if (object.get('fmt') === 'none') {
    require(statement.size === 0, 'statement of none')
    return
  }
  require(object.get('fmt') === 'packed' && statement.get('alg') === -7 && !statement.has('x5c'), 'format')
  require(verify(
    'sha256',
    Buffer.concat([data, sha256(clientData)]),
    key,
    statement.get('sig'),
  ), 'self attestation')
}

export interface StoredPasskey {
  readonly id: Buffer
  readonly x: Buffer
  readonly y: Buffer
  readonly userHandle: string | undefined
  /** The last counter that the service accepted. */
  readonly counter: number
}

/** @throws TypeError, RangeError or SyntaxError that names the problem of an assertion */
export function requireAssertion(sent: Sent, expected: Expected, passkey: StoredPasskey): void {
  const { response } = sent
  const clientData = bytesOf(response.clientDataJSON)
  checkClientData(clientData, 'webauthn.get', expected)
  sameId(sent, passkey.id)
  // The older form of the interface has the data in attestationObject, raw or inside CBOR.
  const data = bytesOf(response.authenticatorData ?? response.attestationObject)
  const { flags, counter } = checkHead(data, expected.rpId)
  require(counter > passkey.counter, 'counter')
  require((flags & 0x08) === 0, 'backup eligibility of the registration')
  if (response.userHandle !== undefined && response.userHandle !== null && response.userHandle !== '') {
    require(bytesOf(response.userHandle).equals(bytesOf(passkey.userHandle)), 'userHandle')
  }
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: passkey.x.toString('base64url'),
    y: passkey.y.toString('base64url'),
  }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.concat([data, sha256(clientData)])
  require(verify('sha256', signed, key, bytesOf(response.signature)), 'signature')
}
