import type { OrderPlan, OrderSigner } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import type { Quote } from './quote.ts'
import type { VerifiedSolution } from './verify-solution.ts'

interface Clock {
  /** Unix seconds. Default: this machine's clock. */
  readonly now?: number | undefined
  /** How far this clock may be from the network's, in seconds. Default 60. */
  readonly clockSkew?: number | undefined
}

/** The build is for a solution: its calls and its marker are in the request. */
export interface ReservedOrder extends Clock {
  /** What `verifySolution` answered. */
  readonly solution: VerifiedSolution
}

/** The build reserves by itself: `orderData` is in the request, and `order` in the answer. */
export interface OrderInBuild extends Clock {
  /** The SmartBalance of the network, as the caller knows it (it is one address on all networks). */
  readonly smartBalance: Address
  /** What `getQuote` answered: the price has to be that one. */
  readonly quote?: Quote | undefined
  /** What `recomputeQuote` came to: the price, the debits and the failFees have to be these. */
  readonly plan?: OrderPlan | undefined
}

/** What a build that spends the smart balance has to be. */
export type OrderExpectation = ReservedOrder | OrderInBuild

/** An order as the verification of an operation needs it. */
export interface ExpectedOrderOperation extends Clock {
  readonly solution: VerifiedSolution
  /** Absent: any, since an order for another key than the one that signs is void. */
  readonly signer?: OrderSigner | undefined
}
