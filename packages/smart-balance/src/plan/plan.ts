/** Which side the requested amount fixes: what must arrive, or what is debited. */
export type PlanType = 'AMOUNT_OUT' | 'AMOUNT_IN'

/** The components of fees, in 6-decimal units of the settlement token, except `basisPoints`. */
export interface Terms {
  /** Fee on the lent part, in 1/10,000. */
  readonly basisPoints: number
  /** The gas budget of the operation, in the token. It is also due if the operation fails. */
  readonly operationFee: bigint
  /**
   * The additional fee of a debit on a network, by chain id. A network without an entry cannot be debited.
   */
  readonly settlementFees: Readonly<Record<string, bigint>>
}

/**
 * The part of the account's deposit on a network that an order could take: not exiting, not reserved, and
 * pinned on other networks.
 */
export interface AvailableDeposit {
  readonly network: number
  readonly available: bigint
}

export interface PlanInput {
  readonly outputNetwork: number
  /** 6-decimal units. */
  readonly amount: bigint
  readonly type: PlanType
  /** AMOUNT_OUT: maximum to debit. AMOUNT_IN: minimum to arrive. */
  readonly limit?: bigint | undefined
  /** Each network once, in any order. */
  readonly deposits: readonly AvailableDeposit[]
  /** Maximum that the operator can lend on the output network. */
  readonly lendable: bigint
  readonly terms: Terms
}

export interface PlannedDebit {
  readonly network: number
  readonly amount: bigint
  readonly failFee: bigint
}

/**
 * Invariants: `total = amount + fee`, `amount = withdrawal.amount + claimAmount`, and the withdrawal and
 * debits add up to the total.
 */
export interface OrderPlan {
  /** The amount that arrives. */
  readonly amount: bigint
  readonly fee: bigint
  readonly total: bigint
  /**
   * From the account's own deposit on the output network, which is used first: for the amount, then for the
   * fee.
   */
  readonly withdrawal: { readonly amount: bigint; readonly fee: bigint }
  /** The lent part. */
  readonly claimAmount: bigint
  /** The repayments from deposits on other networks: ascending by chain id, none of them 0. */
  readonly debits: readonly PlannedDebit[]
}

/** Why no order can be made, with a figure that helps the caller. */
export type PlanProblem =
  /**
   * `largest`: the largest amount of the requested type that the deposits and the liquidity allow; 0 for
   * none.
   */
  | { readonly problem: 'INSUFFICIENT_FUNDS'; readonly largest: bigint }
  /** `largest` as above. */
  | { readonly problem: 'INSUFFICIENT_LIQUIDITY'; readonly lendable: bigint; readonly largest: bigint }
  /** `passes`: the nearest limit that would pass. */
  | { readonly problem: 'LIMIT'; readonly passes: bigint }
  /** The fees exceed SmartBalance's maximum: debits may exceed the claim by at most 1 % and `maxFlatFee`. */
  | {
      readonly problem: 'FEE_TOO_HIGH'
      readonly fee: bigint
      readonly debits: bigint
      readonly highest: bigint
    }
  /** `smallest`: the minimum amount of the requested type. */
  | { readonly problem: 'TOO_SMALL'; readonly smallest: bigint }

export type PlanResult =
  | { readonly ok: true; readonly plan: OrderPlan }
  | ({ readonly ok: false } & PlanProblem)
