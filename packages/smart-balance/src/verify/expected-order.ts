/** The expected contents of an order: a plan, or a service's response about one. */
export interface ExpectedOrder {
  readonly claimAmount: bigint
  readonly withdrawal: { readonly amount: bigint; readonly fee: bigint }
  /** With `failFee` if it is known; otherwise the sum of all failFees may be at most `fee`. */
  readonly debits: readonly {
    readonly network: number
    readonly amount: bigint
    readonly failFee?: bigint | undefined
  }[]
  readonly fee: bigint
}
