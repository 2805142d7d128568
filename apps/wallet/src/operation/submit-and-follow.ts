import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { isServerFailure, isUnreachable, readServiceError } from '../errors/service-error.ts'
import { type OperationOutcome, outcomeOf } from './operation-outcome.ts'

/** Milliseconds between polls of a pending operation. */
const pollInterval = 1_000

/** Answers that the service does not have the signature, before the wallet believes it. */
const missingLimit = 3

/**
 * Submits a signed operation. If the answer is lost, or says that it is late, the operation is followed until it ends: an error
 * here means that it was not taken, so signing again pays once.
 *
 * @param submit - sends the signature once
 * @throws the error of `submit`, if the service did not take the signature
 */
export async function submitAndFollow(
  userOpHash: Hex,
  submit: () => Promise<{ readonly success: boolean; readonly txnHash: Hex }>,
): Promise<OperationOutcome> {
  try {
    const { success, txnHash } = await submit()
    return { kind: success ? 'included' : 'reverted', txnHash }
  } catch (error) {
    const isOpen =
      isUnreachable(error) || isServerFailure(error) || readServiceError(error)?.code === 'INCLUSION_TIMEOUT'
    if (!isOpen) throw error
    return follow(userOpHash, error)
  }
}

async function follow(userOpHash: Hex, lost: unknown): Promise<OperationOutcome> {
  for (let missing = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
    try {
      const status = await trpc.smartAccount.status.query({ userOpHash })
      const outcome = outcomeOf(status)
      if (outcome) return outcome
      // Unsigned: the signature has not arrived.
      missing = status.state === 'built' ? missing + 1 : 0
    } catch (error) {
      // Without a connection nothing is known: the operation may be on its way.
      if (readServiceError(error)?.code === 'UNKNOWN_OPERATION') missing++
    }
    if (missing >= missingLimit) throw lost
  }
}
