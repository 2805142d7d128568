import { z } from 'zod'
import { amount } from '../primitives/amount.ts'

/** Which side of a quote `amount` fixes. */
export const quoteType = z
  .enum(['AMOUNT_OUT', 'AMOUNT_IN'], 'Expected AMOUNT_OUT or AMOUNT_IN')
  .default('AMOUNT_OUT')
  .meta({
    description:
      '`AMOUNT_OUT`: the amount must arrive, and the limit is the most that may be debited. `AMOUNT_IN`: the amount is debited, and the limit is the least that must arrive.',
  })

/** The limit for the other side, base units with 6 decimals. */
export const quoteLimit = amount.optional().meta({
  type: 'integer',
  minimum: 0,
  example: 250000000,
  description: 'An integer, or a decimal string.',
})
