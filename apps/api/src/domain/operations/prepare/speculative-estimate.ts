import { calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
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

/** No lane was ever used: all guesses take the nonce of the last lane, which is used last. */
const unusedLanes = Array.from({ length: laneCount }, () => 0n)

/** Accounts that were seen deployed, by network. A wrong entry costs a simulation. */
const deployedAccounts = new WeakMap<Network, Set<Address>>()
const maxDeployedAccounts = 100_000

/** Tells later guesses that an account is deployed. */
export function rememberDeployed(network: Network, account: Address): void {
  const known = deployedAccounts.get(network)
  if (!known || known.size >= maxDeployedAccounts) deployedAccounts.set(network, new Set([account]))
  else known.add(account)
}

/**
 * Starts the estimate of an operation in parallel with the reads that it depends on, for the most likely
 * results of these reads: with a distant node, this saves a round trip. An account that was not seen deployed
 * gets two estimates, with and without its deployment; the node rejects one of them at once. A wrong guess
 * (an account with all lanes in use) costs the node one simulation.
 *
 * @returns undefined when there is nothing to base a guess on: the fees of this network were never read, or
 * there are no calls
 */
export function startSpeculativeEstimate(
  request: EstimateRequest,
  signer: OperationSigner,
): SpeculativeEstimate | undefined {
  const { bundler, calls, network, wallet, payer } = request
  const fees = network.lastFees
  if (!fees || calls.length === 0) return undefined
  const states = deployedAccounts.get(network)?.has(wallet.address) ? [true] : [true, false]
  const started = states.map(async (deployed) => {
    const guess = await draftOperation(request, signer, { deployed, sequences: unusedLanes }, fees)
    const estimate = bundler.estimate({
      operation: guess.operation,
      ...guess.stub.simulation,
      mustBeSteady: payer.mustBeSteady ?? false,
    })
    estimate.catch(() => {}) // nobody may ask for it
    return { guess, estimate }
  })
  return {
    async estimateOf(draft) {
      // A failed estimate is repeated with the values known by then, and the error of that one is reported.
      for (const result of await Promise.allSettled(started)) {
        if (result.status === 'fulfilled' && serves(result.value.guess, draft))
          return result.value.estimate.catch(() => undefined)
      }
      return undefined
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
