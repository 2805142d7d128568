import type { EmbeddedContext } from './context.ts'

/** When the next attempt may start: the wait doubles with each attempt. */
export function nextAttempt({ now, settings }: EmbeddedContext, attempts: number): Date {
  const wait = Math.min(settings.initialBackoff * 2 ** Math.min(attempts, 20), settings.maxBackoff)
  return new Date(now().getTime() + wait)
}
