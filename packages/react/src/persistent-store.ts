/** A value shared by all tabs of an app. */
export interface PersistentStore<Value> {
  /** Called when this tab or another one changes the value. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the same object until it changes. */
  readonly get: () => Value
  readonly set: (value: Value) => void
}

/**
 * Keeps a value in `localStorage`. If storage is blocked, the value lasts as long as the page.
 *
 * @param parse - converts the stored value, or `undefined` if nothing is stored
 */
export function createPersistentStore<Value>(
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
  const onStorage = ({ key }: StorageEvent) => {
    // A null key means that all storage was cleared.
    if (key === storageKey || key === null) notify()
  }
  const readText = () => {
    try {
      return isBlocked ? text : localStorage.getItem(storageKey)
    } catch {
      return text // no browser, or storage is blocked
    }
  }
  return {
    subscribe: (listener) => {
      if (listeners.size === 0) window.addEventListener('storage', onStorage)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.removeEventListener('storage', onStorage)
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
        localStorage.setItem(storageKey, text)
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
