import type { EmbeddedContext } from './context.ts'

/** When what was tried so often may be tried again: the wait doubles with each attempt. */
export function nextAttempt({ now, settings }: EmbeddedContext, attempts: number): Date {
  const wait = Math.min(settings.firstBackoff * 2 ** Math.min(attempts, 20), settings.longestBackoff)
  return new Date(now().getTime() + wait)
}
