import type { EndpointInput, endpoints } from '@lanyard/contracts'
import type { SmartBalanceGetQuoteResponse } from '../generated/types.gen.ts'

export type { Solution } from '../generated/types.gen.ts'

/** What is asked of the combined balance: of `getQuote`, `computeSolution`, and, less the network, as `orderData`. */
export type SpendRequest = Pick<
  EndpointInput<typeof endpoints.smartBalance.computeSolution>,
  'outputNetwork' | 'amount' | 'type' | 'limit'
>

/** What `smartBalance.getQuote` answered. Nothing about it is trusted. */
export type Quote = SmartBalanceGetQuoteResponse['quote']
