import { z } from 'zod'
import { amount } from '../primitives/amount.ts'
import { quoteLimit, quoteType } from './quote-type.ts'

/** Pays a budget that the terms do not contain, wei. */
export const gasBudget = amount.optional().meta({
  description:
    'The most that the operation may cost, wei; it is priced into the fee. Absent: what an operation with one or two calls costs.',
})

/** Spends the smart balance in the operation that is built: quote, reservation and calls in one step. */
export const orderData = z.object({ amount, type: quoteType, limit: quoteLimit, gasBudget }).meta({
  id: 'OrderData',
  description:
    'Spend the combined balance here: withdrawal and claim are put in front of `transactionDetails`, and the operator pays the gas. The answer then has `order`.',
})
