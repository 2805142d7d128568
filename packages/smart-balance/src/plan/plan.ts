/** Which side the amount of a request fixes: what must arrive, or what is debited. */
export type PlanType = 'AMOUNT_OUT' | 'AMOUNT_IN'

/** What fees are made of. All in 6-decimals units of the settlement token but `basisPoints`. */
export interface Terms {
  /** Of the lent part, in 1/10,000. */
  readonly basisPoints: number
  /** The gas budget of the operation, in the token. Also what is due when the operation fails. */
  readonly operationFee: bigint
  /** What a debit on a network adds, by chain id. A network that is missing here cannot be debited. */
  readonly settlementFees: Readonly<Record<string, bigint>>
}

/** What an order could take of the account's deposit on a network: not exiting, not reserved; pinned, if elsewhere. */
export interface AvailableDeposit {
  readonly network: number
  readonly available: bigint
}

export interface PlanInput {
  readonly outputNetwork: number
  /** 6-decimals units. */
  readonly amount: bigint
  readonly type: PlanType
  /** AMOUNT_OUT: the most that may be debited. AMOUNT_IN: the least that must arrive. */
  readonly limit?: bigint | undefined
  /** Each network once, in any sequence. */
  readonly deposits: readonly AvailableDeposit[]
  /** The most that the operator can lend on the output network. */
  readonly lendable: bigint
  readonly terms: Terms
}

export interface PlannedDebit {
  readonly network: number
  readonly amount: bigint
  readonly failFee: bigint
}

/** Always `total = amount + fee`, `amount = withdrawal.amount + claimAmount`, and what is taken adds up to the total. */
export interface OrderPlan {
  /** What arrives. */
  readonly amount: bigint
  readonly fee: bigint
  readonly total: bigint
  /** From the account's own deposit on the output network: used first, for the amount, then for the fee. */
  readonly withdrawal: { readonly amount: bigint; readonly fee: bigint }
  /** The lent part. */
  readonly claimAmount: bigint
  /** What the deposits elsewhere repay: ascending by chain id, none of 0. */
  readonly debits: readonly PlannedDebit[]
}

/** Why no order can be made, with the figure that helps. */
export type PlanProblem =
  /** `largest`: the amount, of the type that was asked for, that the deposits and the liquidity allow; 0 for none. */
  | { readonly problem: 'INSUFFICIENT_FUNDS'; readonly largest: bigint }
  /** `largest` as above. */
  | { readonly problem: 'INSUFFICIENT_LIQUIDITY'; readonly lendable: bigint; readonly largest: bigint }
  /** `passes`: the limit nearest to the one given that would pass. */
  | { readonly problem: 'LIMIT'; readonly passes: bigint }
  /** The fees are above what SmartBalance takes: debits may exceed the claim by 1 % and `maxFlatFee` at most. */
  | {
      readonly problem: 'FEE_TOO_HIGH'
      readonly fee: bigint
      readonly debits: bigint
      readonly highest: bigint
    }
  /** `smallest`: the least amount, of the type that was asked for. */
  | { readonly problem: 'TOO_SMALL'; readonly smallest: bigint }

export type PlanResult =
  | { readonly ok: true; readonly plan: OrderPlan }
  | ({ readonly ok: false } & PlanProblem)
