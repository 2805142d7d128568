import { generateKeyPairSync } from 'node:crypto'
import type { Tampering } from '../passkeys/authenticator.ts'
import { changeBytes } from './byte-changes.ts'
import type { CborValue, CeremonyChange, jsonSpellings, Member, spellings } from './ceremony-changes.ts'
import { reshapeDer } from './der.ts'
import { withMember } from './hostile-values.ts'
import { spoil } from './placeholders.ts'

const thirdParty = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

type Body = Record<string, unknown> & { response: Record<string, unknown> }

const outer: readonly string[] = [
  'id',
  'rawId',
  'type',
  'response',
  'clientExtensionResults',
  'authenticatorAttachment',
  '__proto__',
]

const holderOf = (body: Body, member: string): Record<string, unknown> =>
  outer.includes(member) ? body : (body.response ?? {})

function toCbor(value: CborValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  return 'hex' in value ? new Uint8Array(Buffer.from(value.hex, 'hex')) : value.map(toCbor)
}

/** Defines an own property, even `__proto__`. */
const define = (object: object, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })

function spellJson(text: string, spelling: (typeof jsonSpellings)[number]): string {
  switch (spelling) {
    case 'spaces':
      return JSON.stringify(JSON.parse(text), null, 2)
    case 'escapes':
      return text.replaceAll('webauthn', '\\u0077ebauthn')
    case 'duplicateKey':
      return text.replace('{', '{"challenge":"AAAA",')
    case 'bom':
      return `\ufeff${text}`
    case 'upperKeys':
      return text.replace('"challenge"', '"Challenge"')
    case 'numberOverflow':
      return text.replace('}', ',"x":1e999}')
  }
}

function spell(text: string, spelling: (typeof spellings)[number]): unknown {
  const bytes = Buffer.from(text, 'base64url')
  switch (spelling) {
    case 'base64':
      return bytes.toString('base64').replace(/=+$/, '')
    case 'padded':
      return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
    case 'paddedBase64':
      return bytes.toString('base64')
    case 'newline':
      return `${text.slice(0, 10)}\n${text.slice(10)}`
    case 'percent':
      return encodeURIComponent(bytes.toString('base64'))
    case 'bits':
      return `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`
    case 'hex':
      return bytes.toString('hex')
    case 'double':
      return Buffer.from(text).toString('base64url')
  }
}

function inBody(change: CeremonyChange, body: Body): void {
  const bytesOf = (member: Member) => Buffer.from(String(holderOf(body, member)[member] ?? ''), 'base64url')
  switch (change.element) {
    case 'sentBytes': {
      const { member, bytes } = change
      holderOf(body, member)[member] = changeBytes(bytesOf(member), bytes).toString('base64url')
      return
    }
    case 'spelling': {
      const { member, spelling } = change
      holderOf(body, member)[member] = spell(String(holderOf(body, member)[member] ?? ''), spelling)
      return
    }
    case 'spoiled': {
      const { member, spoiler } = change
      holderOf(body, member)[member] = spoil(holderOf(body, member)[member] ?? '', spoiler)
      return
    }
    case 'body': {
      const { member } = change
      if ('to' in change) define(holderOf(body, member), member, change.to)
      else Reflect.deleteProperty(holderOf(body, member), member)
      return
    }
    case 'moved': {
      const { authenticatorData, ...response } = body.response
      body.response = { ...response, attestationObject: authenticatorData }
      return
    }
  }
}

/** Translates one change into options of the software authenticator. */
function toTampering(change: CeremonyChange): Tampering {
  switch (change.element) {
    case 'clientData':
      return {
        clientData: (members) => {
          if ('to' in change) define(members, change.set, change.to)
          else delete members[change.set]
        },
      }
    case 'clientDataOrder':
      return {
        clientDataText: (text) => {
          const parsed = JSON.parse(text)
          return JSON.stringify({ ...withMember({}, change.first, parsed[change.first]), ...parsed })
        },
      }
    case 'clientDataSpelling':
      return { clientDataText: (text) => spellJson(text, change.spelling) }
    case 'clientDataBytes':
      return { clientDataText: (text) => changeBytes(Buffer.from(text), change.bytes) }
    case 'flags':
      return {
        authenticatorData: (parts) => {
          parts.flags ^= change.mask
        },
      }
    case 'counter':
    case 'rpId':
    case 'credentialIdLength':
      return { authenticatorData: (parts) => void Reflect.set(parts, change.element, change.to) }
    case 'aaguid':
    case 'credentialId':
    case 'rest':
      return {
        authenticatorData: (parts) => {
          parts[change.element] = Buffer.from(change.hex, 'hex')
        },
      }
    case 'cose':
      return {
        authenticatorData: ({ publicKey }) => {
          if (change.to === undefined) publicKey.delete(change.label)
          else publicKey.set(change.label, toCbor(change.to))
        },
      }
    case 'authenticatorBytes':
      return { authenticatorBytes: (bytes) => changeBytes(bytes, change.bytes) }
    case 'attestation':
      return {
        attestation: (map) => {
          if (change.to === undefined) map.delete(change.set)
          else map.set(change.set, toCbor(change.to))
        },
      }
    case 'selfAttested':
      return {
        attestation: (map, { bytes, sign }) => {
          map.set('fmt', 'packed')
          const statement: [string, unknown][] = [
            ['alg', change.alg],
            ['sig', new Uint8Array(sign(bytes))],
          ]
          map.set('attStmt', new Map(statement))
        },
      }
    case 'attestationBytes':
      return { attestationBytes: (bytes) => changeBytes(bytes, change.bytes) }
    case 'key':
      return { privateKey: thirdParty }
    case 'der':
      return { signature: (der) => reshapeDer(der, change.form) }
    case 'signatureBytes':
      return { signature: (der) => changeBytes(der, change.bytes) }
    default:
      return { body: (body) => inBody(change, body) }
  }
}

/** Combines several changes in order. */
export function tamperingOf(changes: readonly CeremonyChange[]): Tampering {
  const all = changes.map(toTampering)
  const privateKey = all.find((one) => one.privateKey)?.privateKey
  return {
    clientData: (members) => {
      for (const one of all) one.clientData?.(members)
    },
    clientDataText: (text) =>
      all.reduce<string | Buffer>((changed, one) => one.clientDataText?.(String(changed)) ?? changed, text),
    authenticatorData: (parts) => {
      for (const one of all) one.authenticatorData?.(parts)
    },
    authenticatorBytes: (bytes) =>
      all.reduce((changed, one) => one.authenticatorBytes?.(changed) ?? changed, bytes),
    attestation: (map, signed) => {
      for (const one of all) one.attestation?.(map, signed)
    },
    attestationBytes: (bytes) =>
      all.reduce((changed, one) => one.attestationBytes?.(changed) ?? changed, bytes),
    ...(privateKey && { privateKey }),
    signature: (der) => all.reduce((changed, one) => one.signature?.(changed) ?? changed, der),
    body: (body) => {
      for (const one of all) one.body?.(body)
    },
  }
}
