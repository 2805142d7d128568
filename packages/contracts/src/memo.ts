/** Computes a value once for each object, and forgets it with the object. A failure is not kept. */
export function memo<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = compute(key)
    known.set(key, value)
    if (value instanceof Promise) value.catch(() => known.delete(key))
    return value
  }
}
