const key = 'lanyard.functions'

/** More than anybody reads; the oldest make way. */
const bound = 100

/**
 * The signatures that somebody typed in this browser: on chain a rule has only the four bytes of a selector. They are
 * words for the reader and nothing else; whatever is shown by one has its selector.
 */
export function knownFunctions(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string') : []
  } catch {
    return [] // storage is blocked, or holds something else
  }
}

/** Keeps signatures for {@link knownFunctions}. */
export function rememberFunctions(signatures: readonly string[]): void {
  if (signatures.length === 0) return
  const known = new Set([...signatures, ...knownFunctions()])
  try {
    localStorage.setItem(key, JSON.stringify([...known].slice(0, bound)))
  } catch {
    // Storage is blocked: the selectors are shown instead.
  }
}
