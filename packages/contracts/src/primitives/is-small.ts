interface Size {
  /** Characters of its JSON. Numbers and escapes count less than they have. */
  readonly characters: number
  /** Values within the value, and itself. */
  readonly values: number
}

/**
 * Whether a value of JSON has at most this size. It stops as soon as it is larger, so that a value is measured before it
 * is parsed.
 *
 * @param value - not nested deeply (`assertShallow` of the service)
 */
export function isSmall(value: unknown, limit: Size): boolean {
  let { characters, values } = limit
  const fits = (inner: unknown): boolean => {
    characters -= typeof inner === 'string' ? inner.length + 2 : 1
    if (--values < 0 || characters < 0) return false
    if (typeof inner !== 'object' || inner === null) return true
    if (Array.isArray(inner)) return inner.length <= values && inner.every(fits)
    for (const name in inner) {
      characters -= name.length + 3
      if (!fits(Reflect.get(inner, name))) return false
    }
    return true
  }
  return fits(value)
}
