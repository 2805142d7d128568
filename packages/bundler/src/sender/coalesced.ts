/**
 * Runs a pass at most once at a time. Who calls while one is under way gets the one after it, together with all
 * others who called meanwhile: what they wrote before calling is certainly seen, and they batch.
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
      .catch(() => {}) // whoever started it hears of it
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
