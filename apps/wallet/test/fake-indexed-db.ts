import { vi } from 'vitest'

/** One store of a browser's IndexedDB, which happy-dom lacks. Stored values can be read again. */
export function fakeIndexedDb(): void {
  const entries = new Map<string, unknown>()
  const answer = (result: unknown) => {
    const request = { result, onsuccess: () => {} }
    queueMicrotask(() => request.onsuccess())
    return request
  }
  const store = {
    put: (value: unknown, key: string) => answer(entries.set(key, value)),
    get: (key: string) => answer(entries.get(key)),
    getAllKeys: () => answer([...entries.keys()]),
  }
  vi.stubGlobal('indexedDB', { open: () => answer({ transaction: () => ({ objectStore: () => store }) }) })
}
