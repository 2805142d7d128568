import { LanyardError } from '@lanyard/contracts'

/** No value in the interface is nested deeper than a transaction detail or a WebAuthn extension. */
const maxDepth = 32

/**
 * Rejects input that is nested so deeply that recursive code would overflow its stack.
 *
 * @throws INVALID_INPUT
 */
export function assertShallow(input: unknown): void {
  if (!isDeeper(input, maxDepth)) return
  throw new LanyardError('INVALID_INPUT', {
    issues: [{ path: '', message: `Nested more than ${maxDepth} levels deep` }],
  })
}

/**
 * Stops at the maximum depth, so its own stack is bounded. It makes no lists of what it visits: a body has thousands of
 * values.
 */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) {
    if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true // its own members
  }
  return false
}
