import { z } from 'zod'
import { hex } from '../primitives/hex.ts'

/** Maximum characters of a text and hex digits of bytes: a sign-in message has a few hundred. */
const maxMessageLength = 32 * 1024

/**
 * Maximum of a message's number of structs × the characters of its types: each struct is hashed with the text
 * of its types.
 */
const maxHashedCharacters = 4 * 1024 * 1024

const structType = z
  .array(z.object({ name: z.string().max(128), type: z.string().max(128) }))
  .max(64, 'At most 64 members in one type')

/** EIP-712 typed data in the format of `eth_signTypedData_v4`. */
const typedData = z
  .object({
    domain: z.looseObject({}).optional(),
    types: z.record(z.string().max(128), structType),
    primaryType: z.string().max(128),
    message: z.looseObject({}),
  })
  .refine((value) => JSON.stringify(value).length <= maxMessageLength, 'At most 32 KiB of typed data')
  .refine(
    ({ types, message }) => countObjects(message) * JSON.stringify(types).length <= maxHashedCharacters,
    'Too many structs for types of this length',
  )
  .meta({
    id: 'TypedData',
    example: {
      domain: { name: 'Example', chainId: 31337 },
      types: { Greeting: [{ name: 'text', type: 'string' }] },
      primaryType: 'Greeting',
      message: { text: 'Hello' },
    },
  })

function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, member) => sum + countObjects(member), 1)
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
