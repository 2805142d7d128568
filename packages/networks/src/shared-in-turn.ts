/**
 * Shares one request among all callers in the same turn of the event loop. It is sent after the last of them.
 */
export function sharedInTurn<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined
      return ask()
    })
    return next
  }
}
