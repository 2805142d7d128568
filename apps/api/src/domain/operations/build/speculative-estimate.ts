import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { laneCount } from '../lanes.ts'
import type { OperationSigner } from '../operation-signer.ts'
import { type DraftOperation, draftOperation } from './draft-operation.ts'
import type { EstimateRequest } from './estimate-request.ts'

/** An estimate that is under way before it is known what to estimate. */
export interface Foreseen {
  /** The estimate for a draft; undefined where another one was foreseen, or where it failed: then ask for it. */
  estimateOf(draft: SignedUserOperation): Promise<GasEstimate | undefined>
}

/** What nearly every account is like when something is built for it: deployed, and its last lane never used. */
const mostAccounts = { deployed: true, sequences: Array.from({ length: laneCount }, () => 0n) }

/**
 * Starts the estimate of an operation along with the reads that it depends on, for what they will most likely answer.
 * A node that is far away is then waited for once. What was foreseen wrongly (the first operation of an account, one
 * with all lanes in use) costs the node a simulation.
 *
 * @returns undefined where there is nothing to go by: the fees of this network were never read, or there are no calls
 */
export function foresee(request: EstimateRequest, signer: OperationSigner): Foreseen | undefined {
  const { bundler, calls, network } = request
  const fees = network.lastFees
  if (!fees || calls.length === 0) return undefined
  const estimated = draftOperation(request, signer, mostAccounts, fees).then(async (foreseen) => ({
    foreseen,
    estimate: await bundler.estimate({ operation: foreseen.operation, ...foreseen.stub.simulation }),
  }))
  estimated.catch(() => {}) // nobody may ask for it
  return {
    async estimateOf(draft) {
      // Whatever failed is tried again with what is known by then, and that error is the one to tell.
      const known = await estimated.catch(() => undefined)
      return known && serves(known.foreseen, draft) ? known.estimate : undefined
    },
  }
}

/**
 * All else comes from the same request. Of the fees gas does not depend: preVerificationGas counts their bytes as if
 * none were zero. A session's stand-in signature repeats parts of the operation, and its bytes count as they are.
 */
const serves = ({ operation: foreseen }: DraftOperation, draft: SignedUserOperation): boolean =>
  foreseen.nonce === draft.nonce &&
  foreseen.initCode === draft.initCode &&
  (foreseen.signature === draft.signature ||
    calculatePreVerificationGas(foreseen) >= calculatePreVerificationGas(draft))
