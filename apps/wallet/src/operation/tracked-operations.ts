import type { Hex } from 'viem'

/** An operation that was signed here, until the person knows its end. */
export interface TrackedOperation {
  readonly userOpHash: Hex
  /** What it does, in words. */
  readonly summary: string
  /** When it was signed, milliseconds since 1970. */
  readonly signedAt: number
}

const key = 'lanyard.tracked'

/** More than anybody has under way; the oldest make way. */
const bound = 10

let tracked: readonly TrackedOperation[] = read()
/** Whose review stands on the screen: it says itself how far they are. */
let watched: Hex | undefined
let shown: readonly TrackedOperation[] = tracked
const listeners = new Set<() => void>()

function update(next: readonly TrackedOperation[]) {
  tracked = next.slice(-bound)
  shown = tracked.filter(({ userOpHash }) => userOpHash !== watched)
  try {
    sessionStorage.setItem(key, JSON.stringify(tracked))
  } catch {
    // Storage is blocked: a reload forgets them, the activity does not.
  }
  for (const listener of listeners) listener()
}

/** The operations of this tab that are not settled yet; a reload keeps them. */
export const trackedOperations = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Those that no review on the screen follows. */
  getShown: () => shown,
  add: (operation: TrackedOperation) =>
    update([...tracked.filter(({ userOpHash }) => userOpHash !== operation.userOpHash), operation]),
  remove: (userOpHash: Hex) => update(tracked.filter((operation) => operation.userOpHash !== userOpHash)),
  watch: (userOpHash: Hex | undefined) => {
    watched = userOpHash
    update(tracked)
  },
  clear: () => update([]),
}

function read(): readonly TrackedOperation[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isTracked) : []
  } catch {
    return []
  }
}

function isTracked(value: unknown): value is TrackedOperation {
  const { userOpHash, summary, signedAt } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof userOpHash === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(userOpHash) &&
    typeof summary === 'string' &&
    typeof signedAt === 'number'
  )
}
