import type { FuzzedOperation } from '../fuzz/document.ts'
import { type Input, placesIn, type Step, withPlace } from '../fuzz/inputs.ts'
import { fillIn, type KnownValues } from '../fuzz/placeholders.ts'
import { toRestRequest } from '../fuzz/rest-requests.ts'
import { restOnWire, type WireRequest } from '../fuzz/send.ts'

/** Bytes that a body may have. */
export const maxBody = 256 * 1024

/** Digits of a number, which JSON.stringify would not write: a text that `toText` replaces. */
const numberMark = 'digits-of-a-number:'

const filled = (unit: string, bytes: number) =>
  unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))))
const base64Of = (hex: string, bytes: number) =>
  Buffer.from(filled(hex, bytes * 1.5).slice(0, Math.floor(bytes * 0.75) * 2), 'hex').toString('base64url')
const listOf = (item: unknown, bytes: number): unknown[] => {
  const length = Buffer.byteLength(JSON.stringify(item) ?? 'null') + 1
  return Array.from({ length: Math.max(1, Math.floor(bytes / length)) }, () => item)
}
const named = (items: readonly unknown[], name = (index: number) => `k${index}`) =>
  Object.fromEntries(items.map((item, index) => [name(index), item]))
const nested = (inner: unknown, levels: number, inArrays: boolean) => {
  let value = inner
  for (let level = 0; level < levels; level++) value = inArrays ? [value] : { a: value }
  return value
}

/** EIP-712 typed data: many types, which refer to each other, or long lists of structs. */
const typedData = (bytes: number, types: number) => {
  const name = (index: number) => `T${index}`
  const per = Math.max(1, Math.min(64, Math.floor(bytes / 40 / types)))
  return {
    domain: { name: 'x', chainId: 31337 },
    primaryType: name(0),
    types: Object.fromEntries(
      Array.from({ length: types }, (_, index) => [
        name(index),
        Array.from({ length: per }, (_ignored, member) => ({
          name: `m${member}`,
          type: index + 1 < types ? name(index + 1) : 'uint256[]',
        })),
      ]),
    ),
    message: { m0: listOf('1', bytes / 4) },
  }
}

/** Values that are large in one way. `was` is the value that a valid request has there. */
const kinds: Readonly<Record<string, (bytes: number, was: unknown) => unknown>> = {
  letters: (bytes) => filled('a', bytes),
  'hex zeros': (bytes) => `0x${filled('00', bytes)}`,
  'hex digits': (bytes) => `0x${filled('a1', bytes)}`,
  'mixed-case hex': (bytes) => `0x${filled('aB', bytes)}`,
  'odd hex': (bytes) => `0x${filled('00', bytes)}0`,
  'hex and a wrong end': (bytes) => `0x${filled('ab', bytes)}g`,
  'decimal digits': (bytes) => filled('9', bytes),
  'a number': (bytes) => numberMark + filled('9', bytes),
  'a fraction': (bytes) => `${numberMark}0.${filled('9', bytes)}`,
  'small letters': (bytes) => filled('é', bytes),
  'combining marks': (bytes) => `a${filled('\u0301\u0323', bytes)}`,
  ligatures: (bytes) => filled('\ufdfa', bytes),
  emoji: (bytes) => filled('\u{1f468}\u200d', bytes),
  surrogates: (bytes) => filled('\ud800', bytes / 2),
  parentheses: (bytes) => `f${filled('(', bytes / 2)}${filled(')', bytes / 2)}`,
  'a long signature': (bytes) => `f(${filled('uint8,', bytes)}uint8)`,
  quotes: (bytes) => filled('"', bytes / 2),
  backslashes: (bytes) => filled('\\', bytes / 2),
  spaces: (bytes) => filled(' ', bytes),
  lines: (bytes) => filled('\n', bytes / 2),
  base64: (bytes) => filled('A', bytes),
  'base64 and a wrong end': (bytes) => `${filled('A', bytes)}!`,
  'base64 with plus': (bytes) => filled('+/', bytes),
  'base64 equals signs': (bytes) => filled('=', bytes),
  'CBOR arrays': (bytes) => base64Of('81', bytes),
  'CBOR maps': (bytes) => base64Of('a100', bytes),
  'CBOR of many items': (bytes) => base64Of(`9a0000ffff${'00'.repeat(2_000)}`, bytes),
  'CBOR texts': (bytes) => base64Of('60', bytes),
  'client data': (bytes) =>
    Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge: 'AAAA', origin: filled('a', bytes * 0.7) }),
    ).toString('base64url'),
  'client data of arrays': (bytes) =>
    Buffer.from(`{"type":${filled('[],', bytes * 0.7)}`).toString('base64url'),
  'client data of many members': (bytes) =>
    Buffer.from(JSON.stringify(named(listOf(0, bytes / 5)))).toString('base64url'),
  'commas in a text': (bytes) => filled(',', bytes),
  'the same again': (bytes, was) => listOf(was, bytes),
  'the first item again': (bytes, was) => listOf(Array.isArray(was) ? was[0] : was, bytes),
  'members like it': (bytes, was) => named(listOf(was, bytes)),
  'empty arrays': (bytes) => listOf([], bytes),
  'empty objects': (bytes) => listOf({}, bytes),
  nulls: (bytes) => listOf(null, bytes),
  zeros: (bytes) => listOf(0, bytes),
  'empty texts': (bytes) => listOf('', bytes),
  'members that are null': (bytes) => named(listOf(null, bytes / 2)),
  'members that are empty': (bytes) => named(listOf([], bytes / 2)),
  'members with long names': (bytes) =>
    named(listOf([], bytes / 128), (index) => `${index}${filled('n', 120)}`),
  'numbered members': (bytes) => named(listOf(null, bytes / 2), (index) => String(index * 7)),
  'deep arrays': (bytes) => nested(listOf(null, bytes), 29, true),
  'deep objects': (bytes) => nested(named(listOf(null, bytes / 2)), 29, false),
  'many deep arrays': (bytes) => listOf(nested(null, 24, true), bytes),
  'typed data of one type': (bytes) => typedData(bytes, 1),
  'typed data of many types': (bytes) => typedData(bytes, 24),
  'typed data of hundreds of types': (bytes) => typedData(bytes, Math.max(2, Math.floor(bytes / 400))),
  'typed data of structs': (bytes) => ({
    domain: {},
    primaryType: 'A',
    types: {
      A: [{ name: 'b', type: 'B[]' }],
      B: Array.from({ length: 40 }, (_, index) => ({ name: `m${index}${filled('m', 90)}`, type: 'uint8' })),
    },
    message: { b: listOf({}, bytes / 2) },
  }),
}

export const kindNames = Object.keys(kinds)

/** Changes of the whole text of a body. */
const textChanges: Readonly<Record<string, (text: string, bytes: number) => string>> = {
  'the body and a wrong end': (text) => `${text}]`,
  'no end': (text) => text.slice(0, -1),
  'spaces before': (text, bytes) => filled(' ', bytes) + text,
  'spaces between': (text, bytes) => text.replace(/^\{/, `{${filled('\n', bytes)}`),
  'the members again': (text, bytes) => {
    const inner = text.slice(1, -1)
    const times = Math.max(1, Math.floor(bytes / (inner.length + 1)))
    return inner === '' ? text : `{${Array.from({ length: times }, () => inner).join()}}`
  },
  'undeclared members': (text, bytes) =>
    text.replace(/^\{/, `{${JSON.stringify(named(listOf([], bytes / 2))).slice(1, -1)},`),
  'escapes in a name': (text, bytes) => text.replace(/^\{/, `{"${filled('\\u0061', bytes)}":0,`),
}

export const textChangeNames = Object.keys(textChanges)

/** Node refuses more than 16 KiB of request line and headers. */
const maxHead = 15_000

const headerChanges: Readonly<Record<string, (bytes: number) => Record<string, string>>> = {
  'many headers': (bytes) => named(listOf('x', bytes / 3), (index) => `x-${index}`) as Record<string, string>,
  'a long user token': (bytes) => ({ authorization: `Bearer eyJ${filled('a', bytes)}.eyJ9.AAAA` }),
  'a user token of many parts': (bytes) => ({ authorization: `Bearer ${filled('eyJ.', bytes)}` }),
  'a forged user token': () => ({
    authorization:
      'Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJ4IiwiZXhwIjo0MTAyNDQ0ODAwfQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  }),
  'a long API key': (bytes) => ({ 'x-api-key': filled('k', bytes) }),
  'an Idempotency-Key': (bytes) => ({ 'idempotency-key': filled('k', Math.min(bytes, 128)) }),
  'a long origin': (bytes) => ({ origin: `https://${filled('a.', bytes)}example` }),
  'many forwarded addresses': (bytes) => ({ 'x-forwarded-for': filled('10.0.0.1, ', bytes) }),
  'a long traceparent': (bytes) => ({ traceparent: filled('0', bytes) }),
}

export const headerChangeNames = Object.keys(headerChanges)

const queryChanges: Readonly<Record<string, (bytes: number) => string>> = {
  'many parameters': (bytes) => filled('&a=', bytes),
  'other parameters': (bytes) =>
    `&${listOf(0, bytes / 3)
      .map((_, index) => `p${index}=`)
      .join('&')}`,
  'escaped bytes': (bytes) => `&x=${filled('%ff', bytes)}`,
  'escaped characters': (bytes) => `&x=${filled('%EF%B7%BA', bytes)}`,
  'plus signs': (bytes) => `&x=${filled('+', bytes)}`,
}

export const queryChangeNames = Object.keys(queryChanges)

export type Change =
  | { readonly in: 'value'; readonly place: readonly Step[]; readonly kind: string; readonly bytes: number }
  | { readonly in: 'text' | 'headers' | 'query'; readonly kind: string; readonly bytes: number }

/** A request of the search: a valid or nearly valid input, and what was changed in it. */
export interface Candidate {
  readonly input: Input
  readonly changes: readonly Change[]
}

/** The places of an input that a change of a value may name. */
export const changeablePlaces = (input: Input): readonly (readonly Step[])[] => {
  const places = placesIn(input).slice(1)
  return places.length > 0 ? places : [['unknownField']]
}

export const describeCandidate = ({ changes }: Candidate): string =>
  changes
    .map((change) =>
      change.in === 'value'
        ? `${change.kind} (${change.bytes} bytes) in \`${change.place.join('.')}\``
        : `${change.kind} (${change.bytes} bytes)`,
    )
    .join(', ') || 'as documented'

const toText = (value: unknown) =>
  JSON.stringify(value).replace(new RegExp(`"${numberMark}([\\d.]*)"`, 'g'), '$1')

/** The request of a candidate. */
export function toWire(operation: FuzzedOperation, candidate: Candidate, known: KnownValues): WireRequest {
  // Changes of one value may meet values that an earlier change replaced.
  const input = candidate.changes.reduce<unknown>((value, change) => {
    if (change.in !== 'value') return value
    const { place, kind, bytes } = change
    const was = place.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value)
    return withMember(value, place, kinds[kind]?.(bytes, fillIn(was, known)))
  }, candidate.input)
  const { body, ...request } = toRestRequest(operation, input as Input) // an object stays one
  const changed = (kind: Change['in']) => candidate.changes.filter((change) => change.in === kind)
  const text =
    body === undefined
      ? undefined
      : changed('text').reduce(
          (current, { kind, bytes }) => textChanges[kind]?.(current, bytes) ?? current,
          toText(fillIn(body, known)),
        )
  const headers = Object.assign(
    {},
    ...changed('headers').map(({ kind, bytes }) => headerChanges[kind]?.(Math.min(bytes, maxHead))),
  )
  const queryTail = changed('query')
    .map(({ kind, bytes }) => queryChanges[kind]?.(Math.min(bytes, maxHead)))
    .join('')
  const wire = restOnWire({ ...request, headers, ...(queryTail !== '' && { queryTail }) }, known, operation)
  if (text === undefined) return wire
  return {
    ...wire,
    headers: { 'content-type': 'application/json', ...wire.headers },
    body: Buffer.from(text),
  }
}

const withMember = (value: unknown, place: readonly Step[], other: unknown): unknown =>
  place.length === 1 && place[0] === 'unknownField'
    ? { ...Object(value), unknownField: other }
    : withPlace(value, place, other)
