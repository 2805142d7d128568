import type { EndpointInput, endpoints } from '@lanyard/contracts'
import type { SmartBalanceGetQuoteResponse } from '../generated/types.gen.ts'

export type { Solution } from '../generated/types.gen.ts'

/**
 * A request to spend the combined balance: for `getQuote`, `computeSolution`, and, without the network, as
 * `orderData`.
 */
export type SpendRequest = Pick<
  EndpointInput<typeof endpoints.smartBalance.computeSolution>,
  'outputNetwork' | 'amount' | 'type' | 'limit'
>

/** The response of `smartBalance.getQuote`. None of it is trusted. */
export type Quote = SmartBalanceGetQuoteResponse['quote']
