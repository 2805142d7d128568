import { z } from 'zod'
import { hex } from '../primitives/hex.ts'

interface Size {
  /** Characters of its JSON. Numbers and escapes count less than they have. */
  readonly characters: number
  /** Values within the value, and itself. */
  readonly values: number
}

/**
 * Whether a value of JSON has at most this size. It stops as soon as it is larger, so that a value is measured before it
 * is parsed.
 *
 * @param value - not nested deeply (`assertShallow` of the service)
 */
function isSmall(value: unknown, limit: Size): boolean {
  let { characters, values } = limit
  const fits = (inner: unknown): boolean => {
    characters -= typeof inner === 'string' ? inner.length + 2 : 1
    if (--values < 0 || characters < 0) return false
    if (typeof inner !== 'object' || inner === null) return true
    if (Array.isArray(inner)) return inner.length <= values && inner.every(fits)
    for (const name in inner) {
      characters -= name.length + 3
      if (!fits(Reflect.get(inner, name))) return false
    }
    return true
  }
  return fits(value)
}

/** Maximum characters of a text and hex digits of bytes: a sign-in message has a few hundred. */
const maxMessageLength = 32 * 1024

/** Maximum number of values in the domain and the message: hashing takes up to 50 µs for each. */
const maxValues = 1_024

/**
 * Maximum of the number of structs and arrays × the characters of the types: each struct is hashed with the text of
 * its types.
 */
const maxHashedCharacters = 512 * 1024

const structType = z
  .array(z.object({ name: z.string().max(128), type: z.string().max(128) }))
  .max(64, 'At most 64 members in one type')

const sizeMessage = 'At most 32 KiB of typed data'
const valuesMessage = `At most ${maxValues} values, and fewer structs if the types are long`

const typedDataObject = z
  .object({
    domain: z.looseObject({}).optional(),
    types: z.record(z.string().max(128), structType),
    primaryType: z.string().max(128),
    message: z.looseObject({}),
  })
  .refine((value) => JSON.stringify(value).length <= maxMessageLength, { error: sizeMessage, abort: true })
  .refine(isQuicklyHashed, valuesMessage)

/** EIP-712 typed data in the format of `eth_signTypedData_v4`. It is measured before it is parsed. */
const typedData = z
  .preprocess((value: z.input<typeof typedDataObject>, context) => {
    const rejection = rejectionOf(value)
    if (rejection === undefined) return value
    context.addIssue({ code: 'custom', message: rejection })
    return z.NEVER
  }, typedDataObject)
  .meta({
    id: 'TypedData',
    example: {
      domain: { name: 'Example', chainId: 31337 },
      types: { Greeting: [{ name: 'text', type: 'string' }] },
      primaryType: 'Greeting',
      message: { text: 'Hello' },
    },
  })

interface TypedData {
  readonly domain?: unknown
  readonly types: unknown
  readonly message: unknown
}

/** Why a value is too large to be parsed. */
function rejectionOf(value: unknown): string | undefined {
  const characters = maxMessageLength
  if (!isSmall(value, { characters, values: characters })) return sizeMessage
  const { domain, message } = Object(value)
  return [domain, message].every((part) => isSmall(part, { characters, values: maxValues }))
    ? undefined
    : valuesMessage
}

/** Whether hashing takes milliseconds. The domain counts, too: its types may contain structs. */
function isQuicklyHashed({ domain, types, message }: TypedData): boolean {
  const values = [...valuesIn(domain), ...valuesIn(message)]
  const objects = values.filter((value) => typeof value === 'object')
  return values.length <= maxValues && objects.length * JSON.stringify(types).length <= maxHashedCharacters
}

/** A value and all values within it. */
function* valuesIn(value: unknown): Generator<unknown> {
  yield value
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) yield* valuesIn(member)
}

/**
 * The message to sign: exactly one of the three. There is no way to sign 32 bytes that are already a hash.
 */
export const accountMessage = z.object({
  message: z
    .string()
    .max(maxMessageLength)
    .optional()
    .meta({ description: 'A text. It is hashed by EIP-191, as `personal_sign` does.' }),
  rawMessage: hex
    .refine((value) => value.length <= maxMessageLength, 'At most 16 KiB')
    .optional()
    .meta({ description: 'Bytes. They are hashed by EIP-191, as `personal_sign` does.' }),
  typedData: typedData.optional().meta({
    description:
      'EIP-712 typed data. Integers may be strings. `domain.chainId`, if present, must be that of `network`.',
  }),
})
