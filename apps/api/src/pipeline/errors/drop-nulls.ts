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

/** Makes no lists of members either: a body may have thousands of them that are null. */
function copyWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name] // its own members
    if (member !== null) setMember(copy, name, copyWithoutNulls(member))
  }
  return copy
}

/** An own member may have any name, even `__proto__`, which an assignment would not create. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
