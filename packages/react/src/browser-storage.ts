import type { AppStorage } from './persistent-store.ts'

/** `localStorage`, whose changes in other tabs are heard. */
export const browserStorage: AppStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
  watch(storageKey, listener) {
    const onStorage = ({ key }: StorageEvent) => {
      // A null key means that all storage was cleared.
      if (key === storageKey || key === null) listener()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  },
}
