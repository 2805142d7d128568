import fc from 'fast-check'
import type { Hex } from 'viem'
import { abiCalls, addressMarks } from './abi-calls.ts'
import { anyHostile } from './hostile-values.ts'

/** One call of an operation as it is sent, with placeholders. */
export interface FuzzedCall {
  readonly targetContractAddress: unknown
  readonly value: unknown
  readonly encodedData: unknown
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Words that are known to break ABI decoders: misleading offsets and lengths. */
const hostileWords: readonly string[] = [
  word(0n),
  word(1n),
  word(31n),
  word(32n),
  word(33n),
  word(2n ** 16n),
  word(2n ** 32n),
  word(2n ** 53n),
  word(2n ** 64n - 1n),
  word(2n ** 255n),
  word(2n ** 256n - 1n),
  word(2n ** 256n - 32n),
]

const selectorLength = 2 + 8

/** The data with one error in its encoding. */
function changed(data: Hex): fc.Arbitrary<string> {
  const words = Math.max(1, Math.ceil((data.length - selectorLength) / 64))
  const at = fc.nat({ max: words - 1 }).map((index) => selectorLength + index * 64)
  const tail = fc
    .uint8Array({ minLength: 1, maxLength: 40 })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
  return fc.oneof(
    fc
      .tuple(at, fc.constantFrom(...hostileWords))
      .map(([place, other]) => data.slice(0, place) + other + data.slice(place + 64)),
    at.map((place) => data.slice(0, place) + data.slice(place + 64)),
    at.map((place) => data.slice(0, place)),
    fc.tuple(at, fc.nat({ max: 31 })).map(([place, bytes]) => data.slice(0, place + 2 * bytes)),
    tail.map((bytes) => data + bytes),
    fc.constantFrom(
      data.slice(0, selectorLength),
      data.slice(0, 6),
      '0x',
      data.slice(0, -1),
      data.toUpperCase(),
    ),
    fc
      .constantFrom('a9059cbb', '6a761202', '8d80ff0a', '00000000', 'ffffffff')
      .map((selector) => `0x${selector}${data.slice(selectorLength)}`),
    fc.constantFrom(64, 4_000).map((times) => data + hostileWords[0]?.repeat(times)),
  )
}

/** Replaces address markers with placeholders for the fixture's addresses, without their prefix. */
const withPlaceholders = (data: string): string =>
  Object.entries(addressMarks).reduce(
    (text, [name, mark]) => text.replaceAll(mark.slice(2), `{{${name}Bare}}`),
    data,
  )

const wei = fc.oneof(
  { weight: 6, arbitrary: fc.constant<unknown>('0') },
  { weight: 2, arbitrary: fc.constantFrom<unknown>('1', 1, '1000000', '1000001', '1000000000000000000') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(String(2n ** 256n - 1n), String(2n ** 128n), -1, '1e18') },
)

/** A structured call: correct, or wrong in one place. */
const structured: fc.Arbitrary<FuzzedCall> = abiCalls.chain(({ target, data }) =>
  fc
    .tuple(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(target) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('wallet', 'token', 'payee', 'entryPoint', 'safeModule', 'precompile'),
        },
      ),
      wei,
      fc.oneof(fc.constant<string>(data), changed(data)),
    )
    .map(([to, value, encodedData]) => ({
      targetContractAddress: `{{${to}}}`,
      value,
      encodedData: withPlaceholders(encodedData),
    })),
)

const small = fc.integer({ min: 0, max: 2_000_000 })

/** Calls at the limits of the fixture's session: payments and transfers around its allowances. */
const nearSession: fc.Arbitrary<FuzzedCall> = fc.oneof(
  small.map((value) => ({ targetContractAddress: '{{payee}}', value: String(value), encodedData: '0x' })),
  small.map((amount) => ({
    targetContractAddress: '{{token}}',
    value: '0',
    encodedData: `0xa9059cbb${'0'.repeat(24)}{{payeeBare}}${word(BigInt(amount))}`,
  })),
)

const unstructured: fc.Arbitrary<FuzzedCall> = fc.record(
  {
    targetContractAddress: fc.oneof(fc.constant('{{payee}}'), anyHostile),
    value: fc.oneof(wei, anyHostile),
    encodedData: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      anyHostile,
    ),
  },
  { noNullPrototype: true },
)

const call = fc.oneof(
  { weight: 6, arbitrary: structured },
  { weight: 3, arbitrary: nearSession },
  { weight: 1, arbitrary: unstructured },
)

/** The calls of an operation. */
export const someCalls: fc.Arbitrary<readonly FuzzedCall[]> = fc.oneof(
  { weight: 6, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
  { weight: 3, arbitrary: fc.array(call, { minLength: 2, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(nearSession, { minLength: 60, maxLength: 66 }) },
)
