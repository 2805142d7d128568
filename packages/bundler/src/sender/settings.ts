/** How an account sends its transactions. Times are in milliseconds. */
export interface SenderSettings {
  /** Maximum number of an account's transactions that wait to be mined. */
  readonly maxInFlight: number
  /**
   * How long an account stays leased to a process that stopped responding, and so how long the next one waits
   * after a crash. A live process renews the lease three times in that period.
   */
  readonly leaseDuration: number
  /** Resend the same bytes after this long, because the node may have forgotten them. */
  readonly resendAfter: number
  /** Offer higher fees with the same nonce after this long. */
  readonly replaceAfter: number
  /**
   * Nobody can replace a transaction of an account that is no longer configured. After this long, another
   * account sends its contents. It is longer than `replaceAfter`, since another process may have the account
   * and replace the transaction.
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
