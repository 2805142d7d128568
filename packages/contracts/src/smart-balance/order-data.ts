import { z } from 'zod'
import { amount } from '../primitives/amount.ts'
import { quoteLimit, quoteType } from './quote-type.ts'

/** Pays a budget that the terms do not contain, wei. */
export const gasBudget = amount.optional().meta({
  description:
    'The most that the operation may cost, in wei. The fee includes it. Absent: the cost of an operation with one or two calls.',
})

/** Spends the smart balance in the operation that is built: quote, reservation and calls in one step. */
export const orderData = z.object({ amount, type: quoteType, limit: quoteLimit, gasBudget }).meta({
  id: 'OrderData',
  description:
    'Spends the combined balance here. The calls withdrawal and claim run before `transactionDetails`, and the operator pays the gas. The answer then has `order`.',
})
