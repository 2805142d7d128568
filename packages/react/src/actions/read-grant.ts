import { type VerifySessionPlanParameters, verifySessionPlan } from '@lanyard/client'

export { encodeRevoke } from '@lanyard/session-keys'

import { getAddress, type Hex } from 'viem'
import type { Call } from './send-calls.ts'

/**
 * Recomputes the calls of a grant from the request, and describes in plain words what they allow.
 *
 * @throws BuildVerificationError if the calls grant something else
 */
export function readGrant(parameters: VerifySessionPlanParameters): {
  readonly calls: readonly Call[]
  readonly description: readonly string[]
} {
  const { description } = verifySessionPlan(parameters)
  const calls = parameters.plan.transactionDetails.map(
    ({ targetContractAddress, value = 0n, encodedData }) => ({
      to: getAddress(targetContractAddress),
      value: BigInt(value),
      data: encodedData as Hex, // verified above
    }),
  )
  return { calls, description }
}
