/**
 * Runs at most one pass at a time. Callers that arrive during a pass share the next one, which sees
 * everything that they wrote before calling.
 */
export function coalesced(pass: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    running = pass().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {}) // the caller that started it handles the error
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
