import { LanyardError } from '@lanyard/contracts'

/** Nothing in the interface is deeper than a transaction detail or a WebAuthn extension. */
const maxDepth = 32

/**
 * Refuses input that is nested so deeply that code which walks it recursively would overflow its stack.
 *
 * @throws INVALID_INPUT
 */
export function assertShallow(input: unknown): void {
  if (!isDeeper(input, maxDepth)) return
  throw new LanyardError('INVALID_INPUT', {
    issues: [{ path: '', message: `Nested more than ${maxDepth} levels deep` }],
  })
}

/** Looks no further than the levels that there may be, so its own stack has a bound. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => isDeeper(member, levels - 1))
}
