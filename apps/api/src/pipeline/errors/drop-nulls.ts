/**
 * Removes the members that are `null` from a caller's input, at any depth: null means the same as absent.
 * Array elements are kept. An input without such members is not copied.
 *
 * @param input - not nested deeply (`assertShallow`)
 */
export const dropNulls = (input: unknown): unknown => (hasNull(input) ? copyWithoutNulls(input) : input)

/** Whether a member is null. Most inputs have none, so this makes no lists. */
function hasNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isArray = Array.isArray(value)
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name] // its own members
    if ((member === null && !isArray) || hasNull(member)) return true
  }
  return false
}

function copyWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutNulls)
  if (typeof value !== 'object' || value === null) return value
  // An own member may have any name, even `__proto__`, which an assignment would not create.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, copyWithoutNulls(member)]),
  )
}
