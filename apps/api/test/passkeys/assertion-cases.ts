import { generateKeyPairSync } from 'node:crypto'
import { type AuthenticatorData, encodeCbor, flag, type Tampering } from './authenticator.ts'
import { bodyCases, clientDataCases, type NegativeCase } from './client-data-cases.ts'

const response = (
  name: string,
  tamper: (response: Record<string, unknown>) => void,
  code?: 'INVALID_INPUT',
): NegativeCase => ({
  name: `response.${name}`,
  tampering: { body: (sent) => tamper(sent.response) },
  ...(code && { code }),
})

const authData = (name: string, tamper: (parts: AuthenticatorData) => void): NegativeCase => ({
  name: `authData: ${name}`,
  tampering: { authenticatorData: tamper },
})

const signature = (name: string, tamper: (der: Buffer) => Buffer): NegativeCase => ({
  name: `signature ${name}`,
  tampering: { signature: tamper },
})

const afterwards = (name: string, tamper: (bytes: Buffer) => void, member: string): NegativeCase => ({
  name,
  tampering: {
    body: (sent) => {
      const bytes = Buffer.from(String(sent.response[member]), 'base64url')
      tamper(bytes)
      sent.response[member] = bytes.toString('base64url')
    },
  },
})

const thirdParty = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const anyBase64 = Buffer.alloc(16, 9).toString('base64url')

/** Assertions that the service must refuse (WebAuthn L3 §7.2; the FIDO conformance list's GetAssertion cases). */
export const assertionCases: readonly NegativeCase[] = [
  ...bodyCases(undefined),
  {
    name: 'an unregistered credential',
    tampering: {
      body: (sent) => {
        sent.id = anyBase64
        sent.rawId = anyBase64
      },
    },
  },
  response('authenticatorData is missing', (members) => delete members.authenticatorData),
  response(
    'authenticatorData is a number',
    (members) => {
      members.authenticatorData = 7
    },
    'INVALID_INPUT',
  ),
  response('authenticatorData is empty', (members) => {
    members.authenticatorData = ''
  }),
  response('signature is missing', (members) => delete members.signature),
  response(
    'signature is a number',
    (members) => {
      members.signature = 7
    },
    'INVALID_INPUT',
  ),
  response('signature is empty', (members) => {
    members.signature = ''
  }),
  response(
    'userHandle is a number',
    (members) => {
      members.userHandle = 7
    },
    'INVALID_INPUT',
  ),
  response('userHandle belongs to another user', (members) => {
    members.userHandle = anyBase64
  }),

  ...clientDataCases('webauthn.create'),

  { name: 'authData: 36 bytes', tampering: { authenticatorBytes: (data) => data.subarray(0, 36) } },
  authData('another RP ID', (parts) => {
    parts.rpId = 'evil.example'
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
  authData('extensions announced and missing', (parts) => {
    parts.flags |= flag.ed
  }),
  authData('extensions that are not announced', (parts) => {
    parts.rest = Buffer.from(encodeCbor(new Map([['credProtect', 1]])))
  }),
  authData('followed by other bytes', (parts) => {
    parts.rest = Buffer.alloc(3, 7)
  }),
  authData('attested credential announced and missing', (parts) => {
    parts.flags |= flag.at
    parts.credentialIdLength = 0xffff
  }),
  authData('signed for another credential id', (parts) => {
    parts.flags |= flag.at
    parts.credentialId = Buffer.alloc(16, 9)
  }),
  authData('backup-eligible, unlike the registration', (parts) => {
    parts.flags |= flag.be
  }),
  authData('backed up without being eligible', (parts) => {
    parts.flags |= flag.bs
  }),
  authData('the counter goes back', (parts) => {
    parts.counter = 4
  }),
  authData('the counter stays', (parts) => {
    parts.counter = 5
  }),
  authData('the counter goes back to 0', (parts) => {
    parts.counter = 0
  }),

  { name: 'signature from another key', tampering: { privateKey: thirdParty } },
  signature('has one bit flipped', (der) => {
    const last = der.length - 1
    der.writeUInt8(der.readUInt8(last) ^ 1, last)
    return der
  }),
  signature('is not DER', () => Buffer.alloc(64, 7)),
  signature('is cut short', (der) => der.subarray(0, -1)),
  signature('has r = 0', () => Buffer.from('3006020100020101', 'hex')),
  signature('has s = 0', () => Buffer.from('3006020101020100', 'hex')),
  afterwards('the flags change after signing', (bytes) => bytes.writeUInt8(0x1d, 32), 'authenticatorData'),
  afterwards('the counter changes after signing', (bytes) => bytes.writeUInt32BE(9, 33), 'authenticatorData'),
  {
    name: 'clientDataJSON changes after signing',
    tampering: {
      body: ({ response: members }) => {
        const json = JSON.parse(Buffer.from(String(members.clientDataJSON), 'base64url').toString())
        members.clientDataJSON = Buffer.from(JSON.stringify({ ...json, added: true })).toString('base64url')
      },
    },
  },
] satisfies readonly { name: string; tampering: Tampering }[]
