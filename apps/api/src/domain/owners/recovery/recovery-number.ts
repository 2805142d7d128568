import type { GuardedOn } from './guardian-sets.ts'
import type { GuardianMessage } from './recovery.ts'

/** The highest number of a sequence that a network has seen, or that was signed at this service; 0 if there is none. */
export function highestNumber(
  sequence: bigint,
  guarded: readonly Pick<GuardedOn, 'state'>[],
  messages: readonly Pick<GuardianMessage, 'sequence' | 'number'>[],
): bigint {
  const seen = guarded.flatMap(({ state }) => (state.sequence === sequence ? [state.number] : []))
  const signed = messages.flatMap((message) => (message.sequence === sequence ? [message.number] : []))
  return [...seen, ...signed].reduce((a, b) => (a > b ? a : b), 0n)
}

/** Whether a number runs, or can still be started, on each network that is at its sequence: none has ended it. */
export const isStartable = (
  { sequence, number, hash }: Pick<GuardianMessage, 'sequence' | 'number' | 'hash'>,
  guarded: readonly Pick<GuardedOn, 'state'>[],
): boolean =>
  guarded.every(
    ({ state }) => state.sequence !== sequence || state.number < number || state.recovery?.hash === hash,
  )
