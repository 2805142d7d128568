import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { laneCount } from '../lanes.ts'
import type { OperationSigner } from '../operation-signer.ts'
import { type DraftOperation, draftOperation } from './draft-operation.ts'
import type { EstimateRequest } from './estimate-request.ts'

/** An estimate that is under way before it is known what to estimate. */
export interface SpeculativeEstimate {
  /** The estimate for a draft; undefined where the draft is another one, or where it failed: then ask for it. */
  estimateOf(draft: SignedUserOperation): Promise<GasEstimate | undefined>
}

/** The typical account at build time: deployed, and its last lane never used. */
const typicalAccount = { deployed: true, sequences: Array.from({ length: laneCount }, () => 0n) }

/**
 * Starts the estimate of an operation along with the reads that it depends on, for what they will most likely answer.
 * A node that is far away is then waited for once. A wrong guess (the first operation of an account, one
 * with all lanes in use) costs the node a simulation.
 *
 * @returns undefined where there is nothing to go by: the fees of this network were never read, or there are no calls
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
      // Whatever failed is tried again with what is known by then, and that error is the one to tell.
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
