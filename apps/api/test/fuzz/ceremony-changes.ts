import fc from 'fast-check'
import { type ByteChange, byteChange } from './byte-changes.ts'
import { anyHostile } from './hostile-values.ts'
import { spoilerNames } from './placeholders.ts'

/** Valid and invalid DER forms of a signature (ITU-T X.690), with the same or nearly the same integers. */
export const derForms = [
  'malleable', // (r, n − s) verifies too
  'longLength',
  'indefinite',
  'paddedIntegers',
  'negativeIntegers',
  'zero',
  'order', // r = n
  'trailing',
  'innerTrailing',
  'raw', // r ‖ s, as P1363
  'set',
  'oneInteger',
  'threeIntegers',
  'huge',
] as const

/** Encodings of the bytes of a field. The first three decode to the same bytes. */
export const spellings = [
  'base64',
  'padded',
  'paddedBase64',
  'newline',
  'percent',
  'bits',
  'hex',
  'double',
] as const

/** A change to one element of a ceremony, as JSON for the corpus. */
export type CeremonyChange =
  /** Changes to clientDataJSON before the signature. */
  | { readonly element: 'clientData'; readonly set: string; readonly to?: unknown }
  | { readonly element: 'clientDataOrder'; readonly first: string }
  | { readonly element: 'clientDataSpelling'; readonly spelling: (typeof jsonSpellings)[number] }
  | { readonly element: 'clientDataBytes'; readonly bytes: ByteChange }
  /** Changes to the authenticator data before the signature. */
  | { readonly element: 'flags'; readonly mask: number }
  | { readonly element: 'counter'; readonly to: number }
  | { readonly element: 'rpId'; readonly to: string }
  | { readonly element: 'aaguid' | 'credentialId' | 'rest'; readonly hex: string }
  | { readonly element: 'credentialIdLength'; readonly to: number }
  | { readonly element: 'cose'; readonly label: number; readonly to?: CborValue }
  | { readonly element: 'authenticatorBytes'; readonly bytes: ByteChange }
  /** Changes to the attestation object. */
  | { readonly element: 'attestation'; readonly set: string; readonly to?: CborValue }
  | { readonly element: 'selfAttested'; readonly alg: number }
  | { readonly element: 'attestationBytes'; readonly bytes: ByteChange }
  /** Changes to the key and the signature. */
  | { readonly element: 'key' }
  | { readonly element: 'der'; readonly form: (typeof derForms)[number] }
  | { readonly element: 'signatureBytes'; readonly bytes: ByteChange }
  /** Changes to the body after the signature. */
  | { readonly element: 'sentBytes'; readonly member: Member; readonly bytes: ByteChange }
  | { readonly element: 'spelling'; readonly member: Member; readonly spelling: (typeof spellings)[number] }
  | { readonly element: 'body'; readonly member: Member | BodyMember; readonly to?: unknown }
  | { readonly element: 'spoiled'; readonly member: Member; readonly spoiler: string }
  | { readonly element: 'moved' } // the authenticator data at its place in the older form of the interface

export const jsonSpellings = [
  'spaces',
  'escapes',
  'duplicateKey',
  'bom',
  'upperKeys',
  'numberOverflow',
] as const

const members = [
  'id',
  'rawId',
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const
export type Member = (typeof members)[number]

const bodyMembers = [
  'type',
  'response',
  'clientExtensionResults',
  'authenticatorAttachment',
  'transports',
  '__proto__',
] as const
type BodyMember = (typeof bodyMembers)[number]

/** CBOR of one level: JSON values, and bytes as hex. */
export type CborValue = number | string | boolean | null | { readonly hex: string } | readonly CborValue[]

const bytesValue = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => ({ hex: Buffer.from(bytes).toString('hex') }))
const cborValue: fc.Arbitrary<CborValue> = fc.oneof(
  fc.constantFrom<CborValue>(-7, -8, -35, -257, 0, 1, 2, 3, 'ES256', '', true, null, [], { hex: '' }),
  fc.integer(),
  fc.string({ maxLength: 12 }),
  bytesValue,
  bytesValue.map((value): CborValue => [value, 'x']),
)

const element = <E extends CeremonyChange['element']>(name: E) => fc.constant(name)
const hexOf = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('hex'))

const clientDataKeys = [
  'type',
  'challenge',
  'origin',
  'crossOrigin',
  'topOrigin',
  'tokenBinding',
  'other_keys',
  '__proto__',
]

/** Changes to registrations and assertions. */
const common: readonly fc.Arbitrary<CeremonyChange>[] = [
  fc.record(
    {
      element: element('clientData'),
      set: fc.constantFrom(...clientDataKeys),
      to: fc.oneof(
        fc.constantFrom<unknown>(
          'webauthn.get',
          'webauthn.create',
          'http://localhost:3000',
          'https://localhost:3000',
          false,
          true,
        ),
        anyHostile,
      ),
    },
    { requiredKeys: ['element', 'set'] },
  ),
  fc.record({
    element: element('clientDataOrder'),
    first: fc.constantFrom('challenge', 'origin', 'crossOrigin'),
  }),
  fc.record({ element: element('clientDataSpelling'), spelling: fc.constantFrom(...jsonSpellings) }),
  fc.record({ element: element('clientDataBytes'), bytes: byteChange }),
  fc.record({ element: element('flags'), mask: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ element: element('counter'), to: fc.constantFrom(0, 1, 5, 6, 7, 2 ** 31, 2 ** 32 - 1) }),
  fc.record({
    element: element('rpId'),
    to: fc.constantFrom('', 'LOCALHOST', 'localhost.', 'sub.localhost', 'evil.example'),
  }),
  fc.record({
    element: fc.constantFrom('aaguid' as const, 'credentialId' as const, 'rest' as const),
    hex: hexOf(40),
  }),
  fc.record({
    element: element('credentialIdLength'),
    to: fc.constantFrom(0, 1, 15, 17, 255, 1023, 1024, 65_535),
  }),
  fc.record(
    { element: element('cose'), label: fc.constantFrom(1, 3, -1, -2, -3, 2, 4, -4), to: cborValue },
    { requiredKeys: ['element', 'label'] },
  ),
  fc.record({ element: element('authenticatorBytes'), bytes: byteChange }),
  fc.record({ element: element('key') }),
  fc.record({ element: element('sentBytes'), member: fc.constantFrom(...members), bytes: byteChange }),
  fc.record({
    element: element('spelling'),
    member: fc.constantFrom(...members),
    spelling: fc.constantFrom(...spellings),
  }),
  fc.record(
    { element: element('body'), member: fc.constantFrom(...members, ...bodyMembers), to: anyHostile },
    { requiredKeys: ['element', 'member'] },
  ),
  fc.record({
    element: element('spoiled'),
    member: fc.constantFrom(...members),
    spoiler: fc.constantFrom(...spoilerNames),
  }),
]

/** A change to a registration. */
export const registrationChange: fc.Arbitrary<CeremonyChange> = fc.oneof(
  ...common,
  fc.record(
    {
      element: element('attestation'),
      set: fc.constantFrom('fmt', 'attStmt', 'authData', 'other'),
      to: cborValue,
    },
    { requiredKeys: ['element', 'set'] },
  ),
  fc.record({ element: element('selfAttested'), alg: fc.constantFrom(-7, -8, -257) }),
  fc.record({ element: element('attestationBytes'), bytes: byteChange }),
)

/** A change to an assertion. */
export const assertionChange: fc.Arbitrary<CeremonyChange> = fc.oneof(
  ...common,
  fc.record({ element: element('der'), form: fc.constantFrom(...derForms) }),
  fc.record({ element: element('signatureBytes'), bytes: byteChange }),
  fc.record({ element: element('moved') }),
)
