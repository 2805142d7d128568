/** `${BASE_RPC_URL}` anywhere in a text. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** A text of the file names a variable that is not set. */
export interface MissingVariable {
  /** `networks.0.rpcUrls.1` */
  readonly path: string
  readonly name: string
}

/**
 * Replaces `${NAME}` in every text of a JSON document, so that secrets (the keys in RPC addresses) need not
 * be in a file.
 *
 * @param lookUp - the variable's value; undefined or empty counts as missing.
 */
export function substituteVariables(
  document: unknown,
  lookUp: (name: string) => string | undefined,
): { readonly document: unknown; readonly missing: readonly MissingVariable[] } {
  const missing: MissingVariable[] = []
  const walk = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      return value.replace(reference, (whole, name: string) => {
        const found = lookUp(name)
        if (found !== undefined && found !== '') return found
        missing.push({ path: path.join('.'), name })
        return whole
      })
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]))
  }
  return { document: walk(document, []), missing }
}
