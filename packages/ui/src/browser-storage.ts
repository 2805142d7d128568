type Storage = 'localStorage' | 'sessionStorage'

/** What this browser keeps under a key, as JSON. Undefined if it keeps nothing, blocks storage, or has other content. */
export function readStored(key: string, storage: Storage = 'localStorage'): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Like {@link readStored}, for a list. Its entries are not checked: another version of the page may have written them. */
export function readStoredList(key: string, storage?: Storage): readonly unknown[] {
  const stored = readStored(key, storage)
  return Array.isArray(stored) ? stored : []
}

/** Keeps a value as JSON; undefined removes it. A browser that blocks storage keeps nothing, which must do no harm. */
export function writeStored(key: string, value: unknown, storage: Storage = 'localStorage'): void {
  try {
    if (value === undefined) window[storage].removeItem(key)
    else window[storage].setItem(key, JSON.stringify(value))
  } catch {
    // Storage is blocked, or full.
  }
}
