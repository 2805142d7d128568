import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { laneCount } from '../lanes.ts'
import type { OperationSigner } from '../operation-signer.ts'
import { type DraftOperation, draftOperation } from './draft-operation.ts'
import type { EstimateRequest } from './estimate-request.ts'

/** An estimate that starts before the operation is known for certain. */
export interface SpeculativeEstimate {
  /**
   * The estimate for a draft; undefined when the draft differs from the guess, or when the estimate failed.
   * The caller then estimates again.
   */
  estimateOf(draft: SignedUserOperation): Promise<GasEstimate | undefined>
}

/** Typical account state at build time: deployed, and its last lane never used. */
const typicalAccount = { deployed: true, sequences: Array.from({ length: laneCount }, () => 0n) }

/**
 * Starts the estimate of an operation in parallel with the reads that it depends on, for the most likely
 * result of these reads. With a distant node, this saves a round trip. A wrong guess (the first operation of
 * an account, or one with all lanes in use) costs the node one simulation.
 *
 * @returns undefined when there is nothing to base a guess on: the fees of this network were never read, or
 * there are no calls
 */
export function startSpeculativeEstimate(
  request: EstimateRequest,
  signer: OperationSigner,
): SpeculativeEstimate | undefined {
  const { bundler, calls, network } = request
  const fees = network.lastFees
  if (!fees || calls.length === 0) return undefined
  const estimated = draftOperation(request, signer, typicalAccount, fees).then(async (guess) => ({
    guess,
    estimate: await bundler.estimate({ operation: guess.operation, ...guess.stub.simulation }),
  }))
  estimated.catch(() => {}) // nobody may ask for it
  return {
    async estimateOf(draft) {
      // A failed estimate is repeated with the values known by then, and the error of that one is reported.
      const known = await estimated.catch(() => undefined)
      return known && serves(known.guess, draft) ? known.estimate : undefined
    },
  }
}

/**
 * All else comes from the same request. Gas does not depend on the fees: preVerificationGas counts their bytes as if
 * none were zero. A session's stub repeats parts of the operation, and its bytes count as they are.
 */
const serves = ({ operation: guess }: DraftOperation, draft: SignedUserOperation): boolean =>
  guess.nonce === draft.nonce &&
  guess.initCode === draft.initCode &&
  (guess.signature === draft.signature ||
    calculatePreVerificationGas(guess) >= calculatePreVerificationGas(draft))
