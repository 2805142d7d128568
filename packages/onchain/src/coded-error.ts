/** An error on whose `code` a program can branch, with a message for people. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    message: string,
    { details = {}, ...options }: ErrorOptions & { readonly details?: CodedError<Code>['details'] } = {},
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}
