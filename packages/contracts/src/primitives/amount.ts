import { z } from 'zod'

export const maxUint256 = 2n ** 256n - 1n

const decimal = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)

const safeInteger = z.number().int().nonnegative().refine(Number.isSafeInteger).transform(BigInt)

/** An amount in base units (wei for native value): a decimal string, or a JSON number that is exact. */
export const amount = z
  .union([decimal, safeInteger], 'Expected a decimal string in base units: at most 78 digits')
  .refine((value) => value <= maxUint256, 'Larger than 2^256 - 1')
  .meta({
    type: 'string',
    pattern: '^[0-9]{1,78}$',
    example: '1000000000000000',
    description: 'Decimal string in base units. A safe integer is also accepted.',
  })

/** A quantity in responses, always a decimal string. */
export const decimalOutput = z.string().meta({ pattern: '^[0-9]+$' })
