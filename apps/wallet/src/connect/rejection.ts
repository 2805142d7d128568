import { type ConnectFailure, errorCodes } from '@lanyard/connect/protocol'

/** Thrown if the wallet refuses a page's request. */
export class Rejection extends Error {
  override readonly name = 'Refusal'
  readonly failure: ConnectFailure
  /** True if the page may be trying to deceive the person, who should then see the refusal. */
  readonly isShown: boolean

  constructor(code: keyof typeof errorCodes, message: string, { isShown = false } = {}) {
    super(message)
    this.failure = { code: errorCodes[code], message }
    this.isShown = isShown
  }
}
