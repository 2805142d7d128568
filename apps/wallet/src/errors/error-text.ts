import { catalogue, t } from '../i18n/t.ts'

/** An error text for the person. */
export interface ErrorText {
  /** What happened. */
  readonly title: string
  /** What to do now. */
  readonly advice: string
  /** Helps the service's operator to find the request. */
  readonly requestId?: string | undefined
  /** True if the person changed their mind, which is not a failure. */
  readonly quiet?: boolean
}

/**
 * A sentence of the service. Those that people meet are in the catalogues. The others are English, so that another
 * language says who speaks.
 */
export const serviceText = (message: string): string => catalogue[message] ?? t('{message}', { message })

/** An error that says itself what happened, and what to do. Nothing was signed or reserved. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError'
  readonly text: ErrorText

  constructor(text: ErrorText) {
    super(text.title)
    this.text = text
  }
}
