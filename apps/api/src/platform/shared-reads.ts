import { RecentMap } from './recent-map.ts'

/** Maximum number of answers of one kind. */
const maxKept = 1_000

/** The pending or recent answer under this key; otherwise the result of `read`. */
export type Shared<T> = (key: string, read: () => Promise<T>) => Promise<T>

export interface Sharing {
  /** Another kind of answer, with its own keys. */
  share<T>(): Shared<T>
  /** Discards every answer, including pending ones: they may be from before a change. */
  clear(): void
}

/** @param lifetime - milliseconds; 0 shares only pending reads */
export function createSharing(lifetime: number, now: () => number = () => performance.now()): Sharing {
  const clears: (() => void)[] = []
  function share<T>(): Shared<T> {
    const kept = new RecentMap<string, { readonly answer: Promise<T>; until: number }>(maxKept)
    clears.push(() => kept.clear())
    return (key, read) => {
      const found = kept.get(key)
      if (found && now() < found.until) return found.answer
      const entry = { answer: read(), until: Number.POSITIVE_INFINITY }
      kept.set(key, entry)
      entry.answer.then(
        () => {
          entry.until = now() + lifetime
        },
        () => {
          entry.until = 0
        },
      )
      return entry.answer
    }
  }
  return {
    share,
    clear() {
      for (const clear of clears) clear()
    },
  }
}
