import type { OrderPlan, OrderSigner } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import type { Quote } from './quote.ts'
import type { VerifiedSolution } from './verify-solution.ts'

interface Clock {
  /** Unix seconds. Default: this machine's clock. */
  readonly now?: number | undefined
  /** Allowed difference between this clock and the network's, in seconds. Default: 60. */
  readonly clockSkew?: number | undefined
}

/** The build is for a reserved solution, whose calls and marker are in the request. */
export interface ReservedOrder extends Clock {
  /** The result of `verifySolution`. */
  readonly solution: VerifiedSolution
}

/** The build makes the reservation: `orderData` is in the request, and `order` in the response. */
export interface OrderInBuild extends Clock {
  /** The network's SmartBalance as the caller knows it (one address on all networks). */
  readonly smartBalance: Address
  /** The result of `getQuote`. The price must match it. */
  readonly quote?: Quote | undefined
  /** The result of `recomputeQuote`. The price, the debits and the failFees must match it. */
  readonly plan?: OrderPlan | undefined
}

/** The expected order of a build that spends the smart balance. */
export type OrderExpectation = ReservedOrder | OrderInBuild

/** An expected order, as the verification of an operation needs it. */
export interface ExpectedOrderOperation extends Clock {
  readonly solution: VerifiedSolution
  /** Absent: any signer, since an order for a key other than the signing one is void. */
  readonly signer?: OrderSigner | undefined
}
