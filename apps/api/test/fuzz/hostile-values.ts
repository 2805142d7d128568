import fc from 'fast-check'
import { isPlaceholder, spoilerNames } from './placeholders.ts'

/** Texts that have broken parsers, databases and terminals. */
const texts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202egnp.exe',
  'a\u0301\u0302\u0303',
  '\ufdfa\ufdfa', // 18 characters each in NFKC
  '\u0130', // longer in lower case
  '\u{1f468}\u200d\u{1f469}',
  '\u0663\u0661', // digits that are not ASCII
  '%',
  '%00',
  '\\',
  "'",
  '"',
  `' or 1=1 --`,
  '../../etc/passwd',
  '<script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what template engines look for
  '${7*7}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x',
  '0x0',
  '0xg0',
  '0X00',
  `0x${'00'.repeat(32)}`,
  `0x${'ff'.repeat(20)}`,
  `0x${'ff'.repeat(65)}`,
  '=',
  '====',
  '-0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '1E400',
  '0x10',
  ' 1',
  '1\n',
  '01',
  '1_000',
  String(2n ** 53n + 1n),
  String(2n ** 128n),
  String(2n ** 256n - 1n),
  String(2n ** 256n),
  '9'.repeat(78),
  '9'.repeat(79),
  '2026-01-01T00:00:00Z',
  '2026-13-45T99:99:99Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  'eip155:0',
  'eip155:31337:1',
  'eip155:9007199254740993',
  'f((((((((((',
  `f(${'('.repeat(64)}uint8${')'.repeat(64)})`,
  'f(uint256[99999999999999999999])',
]

const numbers: readonly number[] = [
  0,
  -0,
  -1,
  0.5,
  1e21,
  1e300,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  Number.MAX_VALUE,
]

/** Keys that every object inherits, or that code looks up. */
const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'then',
  'length',
  '0',
  '',
] as const

/** Sets an own property with any name, even `__proto__`. */
export const withMember = (object: object, key: string, value: unknown): object =>
  Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]])

const nested = fc
  .tuple(fc.constantFrom(2, 8, 31, 32, 33, 40, 200), fc.boolean())
  .map(([depth, inArrays]): unknown => {
    let value: unknown = 1
    for (let level = 0; level < depth; level++) value = inArrays ? [value] : { a: value }
    return value
  })

const long = fc
  .tuple(
    fc.constantFrom('a', '0', 'é', '\u{1f600}', '\ufdfa', '"', '('),
    fc.constantFrom(65, 129, 1400, 4097, 20_000),
  )
  .map(([character, length]) => character.repeat(length))

const hostileKey = fc
  .tuple(fc.constantFrom(...keys), fc.constantFrom<unknown>(null, 1, 'x', {}, { polluted: true }))
  .map(([key, value]) => withMember({}, key, value))

/** Values of any unexpected kind. */
export const anyHostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...texts) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], ['', '']) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: hostileKey },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** A text with one change. */
function spoiledText(text: string): fc.Arbitrary<unknown> {
  const place = fc.nat({ max: Math.max(text.length, 1) })
  const character = fc.oneof(
    fc.constantFrom('\u0000', '\ud800', ' ', '0', 'g', '=', '-', '+', '.', '\n', '\u00e9', '\uff10'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
  )
  return fc.oneof(
    fc.tuple(place, character).map(([at, what]) => text.slice(0, at) + what + text.slice(at)),
    fc.tuple(place, character).map(([at, what]) => text.slice(0, at) + what + text.slice(at + 1)),
    place.map((at) => text.slice(0, at)),
    fc.constantFrom<unknown>(text.toUpperCase(), text + text, [text], { text }, Number(text) || 0),
  )
}

function spoiledNumber(value: number): fc.Arbitrary<unknown> {
  return fc.constantFrom<unknown>(
    String(value),
    -value,
    value + 0.5,
    value * 2 ** 40,
    `${value}n`,
    `0x${value.toString(16)}`,
    [value],
    value + 1,
    value - 1,
  )
}

function spoiledObject(value: object): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...keys), fc.constantFrom<unknown>(null, 1, 'x', { polluted: true }))
      .map(([key, member]) => withMember(value, key, member)),
    fc.constantFrom<unknown>(Object.values(value), [value], Object.entries(value), JSON.stringify(value)),
  )
}

function spoiledArray(value: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.constantFrom<unknown>(
    [...value, ...value],
    [...value, null],
    Array.from({ length: 70 }, () => value[0] ?? null),
    { ...value },
    { ...value, length: value.length },
    value[0] ?? null,
    [value],
  )
}

/** The value with one error. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  if (isPlaceholder(value)) {
    const [name = ''] = value.slice(2, -2).split('|')
    return fc.constantFrom(...spoilerNames).map((spoiler) => `{{${name}|${spoiler}}}`)
  }
  if (typeof value === 'string') return spoiledText(value)
  if (typeof value === 'number') return spoiledNumber(value)
  if (Array.isArray(value)) return spoiledArray(value)
  if (typeof value === 'object' && value !== null) return spoiledObject(value)
  return fc.constantFrom<unknown>(null, 'true', 'false', 0, 1, [value])
}
