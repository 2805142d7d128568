/** A type alias in place of an interface: only the former assigns to a schema that leaves room for more members. */
type Plain<T> = { [Key in keyof T]: T[Key] }

/** What a ceremony answered, as plain records that fit the endpoints' bodies. */
export function ceremonyBody<
  Answer extends { readonly response: object; readonly clientExtensionResults: object },
>(
  answer: Answer,
): Omit<Answer, 'response' | 'clientExtensionResults'> & {
  response: Plain<Answer['response']>
  clientExtensionResults: Plain<Answer['clientExtensionResults']>
} {
  return answer
}
