/** A value shared by all tabs of an app. */
export interface PersistentStore<Value> {
  /** Called when this tab or another one changes the value. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the same object until it changes. */
  readonly get: () => Value
  readonly set: (value: Value) => void
}

/** Where values are kept between visits. Both functions may throw; the value then lasts as long as the page. */
export interface AppStorage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  /** Calls the listener when somebody else, such as another tab, changes the value. @returns ends it */
  watch?(key: string, listener: () => void): () => void
}

/**
 * Keeps a value in a storage. If it is blocked, the value lasts as long as the page.
 *
 * @param parse - converts the stored value, or `undefined` if nothing is stored
 */
export function createPersistentStore<Value>(
  storage: AppStorage,
  storageKey: string,
  parse: (stored: unknown) => Value,
): PersistentStore<Value> {
  const listeners = new Set<() => void>()
  let text: string | null = null
  let value = parse(undefined)
  let isBlocked = false

  const notify = () => {
    for (const listener of listeners) listener()
  }
  let unwatch: (() => void) | undefined
  const readText = () => {
    try {
      return isBlocked ? text : storage.getItem(storageKey)
    } catch {
      return text // no browser (a page rendered on a server), or storage is blocked
    }
  }
  return {
    subscribe: (listener) => {
      if (listeners.size === 0) unwatch = storage.watch?.(storageKey, notify)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) unwatch?.()
      }
    },
    get: () => {
      const stored = readText()
      if (stored !== text) {
        text = stored
        value = parse(parseJson(stored))
      }
      return value
    },
    set: (next) => {
      text = JSON.stringify(next)
      value = next
      try {
        storage.setItem(storageKey, text)
      } catch {
        isBlocked = true
      }
      notify()
    },
  }
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined // another program wrote it
  }
}
