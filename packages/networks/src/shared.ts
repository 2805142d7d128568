/**
 * Shares one result among all callers for `milliseconds`: concurrent callers get the same promise. A failure
 * is shared only by callers that already wait for it, and is not cached.
 */
export function sharedFor<T>(
  milliseconds: number,
  ask: () => Promise<T>,
  now: () => number,
): () => Promise<T> {
  let current: { answer: Promise<T>; until: number } | undefined
  return () => {
    if (current && now() < current.until) return current.answer
    const answer = ask()
    const request = { answer, until: now() + milliseconds }
    current = request
    answer.catch(() => {
      if (current === request) current = undefined
    })
    return answer
  }
}

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
