import type { EmbeddedContext } from './context.ts'

/** When what was tried so often may be tried again: the wait doubles with each attempt. */
export function nextAttempt({ now, settings }: EmbeddedContext, attempts: number): Date {
  const wait = Math.min(settings.initialBackoff * 2 ** Math.min(attempts, 20), settings.maxBackoff)
  return new Date(now().getTime() + wait)
}
