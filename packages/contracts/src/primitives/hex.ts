import { z } from 'zod'

export type Hex = `0x${string}`

/** Bytes as hex with the prefix 0x; `0x` alone is empty. */
export const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'Expected hex data: 0x and an even number of hex digits')
  .transform((value) => value.toLowerCase() as Hex) // the expression above ensures the prefix
  .meta({ type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' })

/** Exactly 32 bytes. */
export const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes: 0x and 64 hex digits')
  .transform((value) => value.toLowerCase() as Hex) // the expression above ensures the prefix
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' })

/** Hex in responses. */
export const hexOutput = z
  .templateLiteral(['0x', z.string()])
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]*$' })
