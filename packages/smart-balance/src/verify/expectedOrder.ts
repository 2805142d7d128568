/** What an order must be: a plan, or what a service answered of one. */
export interface ExpectedOrder {
  readonly claimAmount: bigint
  readonly withdrawal: { readonly amount: bigint; readonly fee: bigint }
  /** With `failFee` where it is known; else all failFees together may be `fee` at most. */
  readonly debits: readonly {
    readonly network: number
    readonly amount: bigint
    readonly failFee?: bigint | undefined
  }[]
  readonly fee: bigint
}
