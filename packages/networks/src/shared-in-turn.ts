/** Shares one answer among all who ask in the same turn of the event loop: the question is put after the last of them. */
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
