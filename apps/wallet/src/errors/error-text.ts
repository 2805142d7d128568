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
