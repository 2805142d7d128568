import { readStoredList, writeStored } from '@lanyard/ui'

const key = 'lanyard.functions'

/** Maximum number of signatures. The oldest are removed. */
const limit = 100

/**
 * The function signatures that were typed in this browser. On chain, a rule has only a 4-byte selector.
 * Signatures only make rules readable; every rule shown with one has its selector.
 */
export function knownFunctions(): readonly string[] {
  return readStoredList(key).filter((text) => typeof text === 'string')
}

/** Stores signatures for {@link knownFunctions}. */
export function rememberFunctions(signatures: readonly string[]): void {
  if (signatures.length === 0) return
  const known = new Set([...signatures, ...knownFunctions()])
  writeStored(key, [...known].slice(0, limit))
}
