/** How an account sends its transactions. Times in milliseconds. */
export interface SenderSettings {
  /** Transactions of one account that may wait to be mined at once. */
  readonly maxInFlight: number
  /**
   * How long an account stays with a process that stopped answering: so long the next one waits after a crash. A
   * process that lives renews it three times in that time.
   */
  readonly leaseDuration: number
  /** Send the same bytes again after this: the node may have forgotten them. */
  readonly resendAfter: number
  /** Offer higher fees under the same nonce after this. */
  readonly replaceAfter: number
  /**
   * Of an account that is configured no more, nobody can do that: another one sends what its transaction carries after
   * this. Longer, since the account may be another process's, which does.
   */
  readonly abandonAfter: number
}

/** For chains with blocks every 1 to 12 seconds: resend after one or two blocks, replace after three or more. */
export const defaultSenderSettings: SenderSettings = {
  maxInFlight: 4,
  leaseDuration: 5_000,
  resendAfter: 15_000,
  replaceAfter: 45_000,
  abandonAfter: 180_000,
}
