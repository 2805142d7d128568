/** An error as a person reads it. */
export interface ErrorText {
  /** What happened. */
  readonly title: string
  /** What to do now. */
  readonly advice: string
  /** Worth quoting to whoever runs the service. */
  readonly requestId?: string | undefined
  /** Not a failure: the person changed their mind. */
  readonly quiet?: boolean
}
