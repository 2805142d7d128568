import type { GuardianSet } from '@lanyard/accounts'
import type { GuardianState } from './guardian-sets.ts'
import type { GuardianMessage, StoredSignature } from './recovery.ts'

/** The highest number of a sequence that a network has seen, or that was signed at this service; 0 if there is none. */
export function highestNumber(
  sequence: bigint,
  guarded: readonly Pick<GuardianState, 'state'>[],
  messages: readonly Pick<GuardianMessage, 'sequence' | 'number'>[],
): bigint {
  const seen = guarded.flatMap(({ state }) => (state.sequence === sequence ? [state.number] : []))
  const signed = messages.flatMap((message) => (message.sequence === sequence ? [message.number] : []))
  return [...seen, ...signed].reduce((a, b) => (a > b ? a : b), 0n)
}

/** Whether a number runs, or can still be started, on each network that is at its sequence: none has ended it. */
export const isStartable = (
  { sequence, number, hash }: Pick<GuardianMessage, 'sequence' | 'number' | 'hash'>,
  guarded: readonly Pick<GuardianState, 'state'>[],
): boolean =>
  guarded.every(
    ({ state }) => state.sequence !== sequence || state.number < number || state.recovery?.hash === hash,
  )

/**
 * Whether the next guardian can sign a message that others signed before: enough guardians are left who signed nothing of the
 * same or a higher number since. Fewer than the threshold cannot make the others begin again with each number that they use up.
 *
 * @param messages - what guardians of the account signed
 * @param signatures - over each message, by hash
 */
export function isJoinable(
  message: Pick<GuardianMessage, 'sequence' | 'number' | 'hash'>,
  { members, threshold }: GuardianSet,
  messages: readonly Pick<GuardianMessage, 'sequence' | 'number' | 'hash' | 'isComplete'>[],
  signatures: ReadonlyMap<string, readonly Pick<StoredSignature, 'guardian'>[]>,
): boolean {
  const later = messages.filter(
    ({ sequence, number, hash }) =>
      sequence === message.sequence && number >= message.number && hash !== message.hash,
  )
  if (later.some(({ isComplete }) => isComplete)) return false
  const gone = new Set(
    later.flatMap(({ hash }) => signatures.get(hash) ?? []).map(({ guardian }) => guardian.toLowerCase()),
  )
  return members.filter((member) => !gone.has(member.toLowerCase())).length >= threshold
}
