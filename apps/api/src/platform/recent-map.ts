/**
 * A map that holds a limited number of entries: a new one replaces the one that was used least recently. Callers who fill it
 * do not empty it for those who use it.
 */
export class RecentMap<K, V extends {}> {
  /** In the order of their last use. */
  readonly #entries = new Map<K, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  clear(): void {
    this.#entries.clear()
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest)
  }
}
