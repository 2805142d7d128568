/** Why the popup did not answer: `data.reason` of a 4900 error. */
export type UnreachableReason =
  /** The browser blocked the popup. Call `request` directly in a click handler. */
  | 'POPUP_BLOCKED'
  /**
   * The popup never reported that it is ready. Either this page has
   * `Cross-Origin-Opener-Policy: same-origin`, or the wallet's address is wrong, or the person closed the
   * popup before it loaded.
   */
  | 'WALLET_NOT_READY'

/** An EIP-1193 error, identified by `code`. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
