import { type ConnectFailure, errorCodes } from '@lanyard/connect/protocol'

/** A page's request that the wallet refuses. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly failure: ConnectFailure
  /** The person should know: the page may try to deceive them. */
  readonly isShown: boolean

  constructor(code: keyof typeof errorCodes, message: string, { isShown = false } = {}) {
    super(message)
    this.failure = { code: errorCodes[code], message }
    this.isShown = isShown
  }
}
