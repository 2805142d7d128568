/**
 * A mapped type instead of an interface: only a mapped type is assignable to a schema that allows additional
 * members.
 */
type Plain<T> = { [Key in keyof T]: T[Key] }

const plain = <T extends object>(value: T): Plain<T> => ({ ...value })

interface CeremonyAnswer {
  readonly id: string
  readonly rawId: string
  readonly response: object
  readonly clientExtensionResults: object
}

/**
 * Converts the result of `startRegistration` or `startAuthentication` to plain records that match the
 * endpoints' bodies.
 */
export function ceremonyBody<Answer extends CeremonyAnswer>({ id, rawId, ...answer }: Answer) {
  const response: Plain<Answer['response']> = plain(answer.response)
  const clientExtensionResults: Record<string, unknown> = Object.fromEntries(
    Object.entries(answer.clientExtensionResults),
  )
  return { id, rawId, type: 'public-key' as const, response, clientExtensionResults }
}
