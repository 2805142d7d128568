import { generateKeyPairSync } from 'node:crypto'
import { type AuthenticatorData, encodeCbor, flag, type Signed, type Tampering } from './authenticator.ts'
import { bodyCases, clientDataCases, type NegativeCase } from './client-data-cases.ts'

const body = (
  name: string,
  tamper: NonNullable<Tampering['body']>,
  code?: 'INVALID_INPUT',
): NegativeCase => ({
  name: `body.${name}`,
  tampering: { body: tamper },
  ...(code && { code }),
})

const attestation = (
  name: string,
  tamper: (map: Map<string, unknown>, signed: Signed) => void,
): NegativeCase => ({ name: `attestation: ${name}`, tampering: { attestation: tamper } })

const object = (name: string, tamper: (bytes: Buffer) => Buffer): NegativeCase => ({
  name: `attestationObject ${name}`,
  tampering: { attestationBytes: tamper },
})

const authData = (name: string, tamper: (parts: AuthenticatorData) => void): NegativeCase => ({
  name: `authData: ${name}`,
  tampering: { authenticatorData: tamper },
})

const key = (name: string, tamper: (cose: Map<number, unknown>) => void): NegativeCase =>
  authData(`public key ${name}`, ({ publicKey }) => tamper(publicKey))

const packed = (name: string, statement: (signed: Signed) => [string, unknown][]): NegativeCase =>
  attestation(`packed, ${name}`, (map, signed) => {
    map.set('fmt', 'packed')
    map.set('attStmt', new Map(statement(signed)))
  })

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value)
const thirdParty = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Registrations that the service must refuse (WebAuthn L3 §7.1; the FIDO conformance list's MakeCredential cases). */
export const registrationCases: readonly NegativeCase[] = [
  ...bodyCases('INVALID_INPUT'),
  body('attestationObject is missing', ({ response }) => delete response.attestationObject, 'INVALID_INPUT'),
  body(
    'attestationObject is a number',
    ({ response }) => {
      response.attestationObject = 7
    },
    'INVALID_INPUT',
  ),
  body('attestationObject is empty', ({ response }) => {
    response.attestationObject = ''
  }),
  body('id belongs to another credential', (sent) => {
    sent.id = Buffer.alloc(16, 9).toString('base64url')
    sent.rawId = sent.id
  }),

  ...clientDataCases('webauthn.get'),

  object('is not CBOR', () => Buffer.from('ffff', 'hex')),
  object('is an array', (encoded) => Buffer.concat([Buffer.from([0x81]), encoded])),
  object('is cut short', (encoded) => encoded.subarray(0, -1)),
  object('is followed by other bytes', (encoded) => Buffer.concat([encoded, Buffer.from([0])])),
  attestation('fmt is missing', (map) => map.delete('fmt')),
  attestation('fmt is a number', (map) => map.set('fmt', 7)),
  attestation('fmt is unknown', (map) => map.set('fmt', 'unheard-of')),
  ...['fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet'].map((format) =>
    attestation(`fmt is ${format}`, (map) => map.set('fmt', format)),
  ),
  attestation('attStmt is missing', (map) => map.delete('attStmt')),
  attestation('attStmt is text', (map) => map.set('attStmt', 'text')),
  attestation('attStmt is not empty for fmt none', (map) => map.set('attStmt', new Map([['alg', -7]]))),
  attestation('authData is missing', (map) => map.delete('authData')),
  attestation('authData is text', (map) => map.set('authData', 'text')),
  attestation('authData is empty', (map) => map.set('authData', new Uint8Array())),
  packed('without sig', () => [['alg', -7]]),
  packed('without alg', ({ bytes: over, sign }) => [['sig', new Uint8Array(sign(over))]]),
  packed('sig is empty', () => [
    ['alg', -7],
    ['sig', new Uint8Array()],
  ]),
  packed('sig covers other data', ({ sign }) => [
    ['alg', -7],
    ['sig', new Uint8Array(sign(Buffer.from('something else')))],
  ]),
  packed('alg differs from the credential’s', ({ bytes: over, sign }) => [
    ['alg', -257],
    ['sig', new Uint8Array(sign(over))],
  ]),
  packed('with a certificate', ({ bytes: over, sign }) => [
    ['alg', -7],
    ['sig', new Uint8Array(sign(over))],
    ['x5c', [bytes(64)]],
  ]),
  {
    name: 'attestation: packed, sig is from another key',
    tampering: {
      privateKey: thirdParty,
      attestation: (map, { bytes: over, sign }) => {
        map.set('fmt', 'packed')
        map.set(
          'attStmt',
          new Map<string, unknown>([
            ['alg', -7],
            ['sig', new Uint8Array(sign(over))],
          ]),
        )
      },
    },
  },

  { name: 'authData: 36 bytes', tampering: { authenticatorBytes: (data) => data.subarray(0, 36) } },
  authData('another RP ID', (parts) => {
    parts.rpId = 'evil.example'
  }),
  authData('a subdomain as RP ID', (parts) => {
    parts.rpId = 'sub.localhost'
  }),
  authData('user not present', (parts) => {
    parts.flags &= ~flag.up
  }),
  authData('user not verified', (parts) => {
    parts.flags &= ~flag.uv
  }),
  authData('no flags', (parts) => {
    parts.flags = 0
  }),
  authData('no attested credential', (parts) => {
    parts.flags &= ~flag.at
  }),
  authData('extensions announced and missing', (parts) => {
    parts.flags |= flag.ed
  }),
  authData('extensions that are not a map', (parts) => {
    parts.flags |= flag.ed
    parts.rest = Buffer.from([0x07, 0x07])
  }),
  authData('extensions that are not announced', (parts) => {
    parts.rest = Buffer.from(encodeCbor(new Map([['credProtect', 1]])))
  }),
  authData('followed by other bytes', (parts) => {
    parts.rest = Buffer.alloc(3, 7)
  }),
  authData('backed up without being eligible', (parts) => {
    parts.flags |= flag.bs
  }),
  authData('credential id longer than announced', (parts) => {
    parts.credentialIdLength = 8
  }),
  authData('credential id shorter than announced', (parts) => {
    parts.credentialIdLength = 0xffff
  }),
  authData('credential id of 0 bytes', (parts) => {
    parts.credentialId = Buffer.alloc(0)
  }),
  authData('another credential id', (parts) => {
    parts.credentialId = Buffer.alloc(16, 9)
  }),
  {
    name: 'credential id of 1024 bytes',
    tampering: {
      authenticatorData: (parts) => {
        parts.credentialId = Buffer.alloc(1024, 9)
      },
      body: (sent) => {
        sent.id = Buffer.alloc(1024, 9).toString('base64url')
        sent.rawId = sent.id
      },
    },
  },
  key('is missing', (cose) => cose.clear()),
  key('without kty', (cose) => cose.delete(1)),
  key('without alg', (cose) => cose.delete(3)),
  key('without x', (cose) => cose.delete(-2)),
  key('without y', (cose) => cose.delete(-3)),
  key('with alg EdDSA', (cose) => cose.set(3, -8)),
  key('with alg ES384', (cose) => cose.set(3, -35)),
  key('with alg RS256', (cose) => cose.set(3, -257)),
  key('with alg as text', (cose) => cose.set(3, 'ES256')),
  key('with kty OKP', (cose) => cose.set(1, 1)),
  key('with kty RSA', (cose) => cose.set(1, 3)),
  key('with crv P-384', (cose) => cose.set(-1, 2)),
  key('with x of 31 bytes', (cose) => cose.set(-2, bytes(31))),
  key('with x of 33 bytes', (cose) => cose.set(-2, bytes(33))),
  key('with y as text', (cose) => cose.set(-3, 'y')),
  key('that is not a point on the curve', (cose) => cose.set(-3, bytes(32))),
  key('with a compressed point', (cose) => cose.set(-3, true)),
  key('with an extra member', (cose) => cose.set(2, bytes(4))),
]
