/**
 * Shares one answer among all callers for `milliseconds`: those who ask meanwhile get the same promise. A failure
 * is shared by those who wait for it already and then forgotten.
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
    const asked = { answer, until: now() + milliseconds }
    current = asked
    answer.catch(() => {
      if (current === asked) current = undefined
    })
    return answer
  }
}
