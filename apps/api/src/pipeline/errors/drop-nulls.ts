/**
 * Removes the members that are `null` from a caller's input, at any depth: null means the same as absent.
 * Array elements are kept. Only changed parts are copied.
 *
 * @param input - not nested deeply (`assertShallow`)
 */
export function dropNulls(input: unknown): unknown {
  if (Array.isArray(input)) {
    const members = input.map(dropNulls)
    return members.some((member, index) => member !== input[index]) ? members : input
  }
  if (typeof input !== 'object' || input === null) return input
  const entries = Object.entries(input)
  const kept = entries
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, dropNulls(value)] as const)
  const isSame =
    kept.length === entries.length && kept.every(([, value], index) => value === entries[index]?.[1])
  return isSame ? input : Object.fromEntries(kept)
}
