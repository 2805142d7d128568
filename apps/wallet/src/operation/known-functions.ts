const key = 'lanyard.functions'

/** Maximum number of signatures. The oldest are removed. */
const limit = 100

/**
 * The function signatures that were typed in this browser. On chain, a rule has only a 4-byte selector.
 * Signatures only make rules readable; every rule shown with one has its selector.
 */
export function knownFunctions(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string') : []
  } catch {
    return [] // storage is blocked, or has other content
  }
}

/** Stores signatures for {@link knownFunctions}. */
export function rememberFunctions(signatures: readonly string[]): void {
  if (signatures.length === 0) return
  const known = new Set([...signatures, ...knownFunctions()])
  try {
    localStorage.setItem(key, JSON.stringify([...known].slice(0, limit)))
  } catch {
    // Storage is blocked, so selectors are shown instead.
  }
}
