/** A mapped type in place of an interface: only the former assigns to a schema that leaves room for more members. */
type Plain<T> = { [Key in keyof T]: T[Key] }

const plain = <T extends object>(value: T): Plain<T> => ({ ...value })

interface CeremonyAnswer {
  readonly id: string
  readonly rawId: string
  readonly response: object
  readonly clientExtensionResults: object
}

/** What `startRegistration` or `startAuthentication` answered, as plain records that fit the endpoints' bodies. */
export function ceremonyBody<Answer extends CeremonyAnswer>({ id, rawId, ...answer }: Answer) {
  const response: Plain<Answer['response']> = plain(answer.response)
  const clientExtensionResults: Record<string, unknown> = Object.fromEntries(
    Object.entries(answer.clientExtensionResults),
  )
  return { id, rawId, type: 'public-key' as const, response, clientExtensionResults }
}
