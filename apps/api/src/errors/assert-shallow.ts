import { LanyardError } from '@lanyard/contracts'

/** Nothing in the interface is deeper than a transaction detail or a WebAuthn extension. */
const maxDepth = 32

/**
 * Refuses input that is nested so deeply that code which walks it recursively would overflow its stack.
 *
 * @throws INVALID_INPUT
 */
export function assertShallow(input: unknown): void {
  let level: unknown[] = [input]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new LanyardError('INVALID_INPUT', {
        issues: [{ path: '', message: `Nested more than ${maxDepth} levels deep` }],
      })
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
}
