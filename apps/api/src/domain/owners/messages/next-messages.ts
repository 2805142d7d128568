import { stringToHex } from 'viem'
import type { OwnershipState } from '../ownership/read-ownership.ts'
import type { SignedChange } from '../ownership/signed-change.ts'
import { type GuardianMessage, isRecovery } from '../recovery/recovery.ts'

/** What an owner or enough guardians signed for all networks. */
export type SignedMessage = SignedChange | GuardianMessage

/** Changes in one transaction. */
const maxChanges = 8

/** How rows name the change that does nothing but end a recovery. */
const cancelKind = stringToHex('cancel', { size: 32 })

export const isChange = (message: SignedMessage): message is SignedChange => 'kind' in message

/** Whether a message does nothing but end a recovery. */
export const isCancellation = (message: SignedMessage): boolean =>
  isChange(message) ? message.kind === cancelKind : !isRecovery(message)

/**
 * Whether a message can do nothing more on a network: its sequence is consumed, or its number was replaced, taken back, or has
 * lapsed. For one that takes recoveries back, also that it has been done.
 */
export function hasEnded(
  message: SignedMessage,
  { sequence, number, recovery }: Pick<OwnershipState, 'sequence' | 'number' | 'recovery'>,
): boolean {
  if (sequence !== message.sequence) return sequence > message.sequence
  if (isChange(message) || recovery?.hash === message.hash) return false
  if (number !== message.number || isRecovery(message)) return number >= message.number
  return recovery === undefined
}

/** Whether enough guardians signed a higher number of the same sequence: this service never sends the lower one again. */
export const isReplaced = (message: SignedMessage, signed: readonly SignedMessage[]): boolean =>
  !isChange(message) &&
  signed.some(
    (other) =>
      !isChange(other) &&
      other.isComplete === true &&
      other.sequence === message.sequence &&
      other.number > message.number,
  )

/**
 * What one transaction may do next on a network: an owner's changes in their order, since each ends a recovery of its sequence;
 * otherwise what enough guardians signed last.
 *
 * @param signed - all messages of the account, changes by sequence
 */
export function chooseNext(
  signed: readonly SignedMessage[],
  { sequence, recovery }: Pick<OwnershipState, 'sequence' | 'recovery'>,
): readonly SignedMessage[] {
  const changes = signed.filter(isChange).filter((change) => change.sequence >= sequence)
  const next = changes
    .filter((change, index) => change.sequence === sequence + BigInt(index))
    .slice(0, maxChanges)
  if (next.length > 0) {
    // What comes after a cancellation can wait.
    const cancelAt = recovery ? next.findIndex(isCancellation) : -1
    return cancelAt === -1 ? next : next.slice(0, cancelAt + 1)
  }
  const complete = signed
    .filter((message): message is GuardianMessage => !isChange(message))
    .filter((message) => message.isComplete && message.sequence === sequence)
  return complete.filter((message) => complete.every(({ number }) => number <= message.number))
}
