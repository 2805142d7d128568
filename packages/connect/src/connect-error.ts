/** Why no popup answered, in `data.reason` of an error 4900. */
export type UnreachableReason =
  /** The browser opened no popup: call `request` directly in the handler of a click. */
  | 'POPUP_BLOCKED'
  /**
   * The popup never said that it is ready. Either this page has `Cross-Origin-Opener-Policy: same-origin`, or the wallet's
   * address is wrong, or the person closed the popup before it was loaded.
   */
  | 'WALLET_NOT_READY'

/** An error of EIP-1193: `code` says what it is. */
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
