import type { Call } from '@lanyard/accounts'
import { encodeCalls, encodeInitCode, type SignedUserOperation } from '@lanyard/accounts'
import { type Bundler, decodeRevert, type GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Fees, Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'
import { type AccountState, readAccountState } from './account-state.ts'
import { laneCount, toNonce } from './lanes.ts'
import { firstOwnerSigner, type OperationSigner, type StubbedSignature, stubFor } from './operation-signer.ts'

export interface EstimateRequest {
  readonly wallet: Wallet
  readonly network: Network
  readonly bundler: Bundler
  readonly calls: readonly Call[]
  /** v0.7 paymasterAndData, `0x` when the account pays. */
  readonly paymasterAndData: Hex
  readonly allowRevert: boolean
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
}

export interface EstimatedOperation {
  readonly state: AccountState
  readonly fees: Fees
  /** Complete but for its nonce and its signature, which are stand-ins. */
  readonly operation: SignedUserOperation
  /** How the stub in it is simulated. */
  readonly stub: StubbedSignature
}

/**
 * The lane is chosen later, under a lock. The simulation checks nonces, so the stand-in is a valid one: that of the
 * last lane, which is the likeliest to be fresh and so the dearest to use.
 */
const standInNonce = ({ sequences }: AccountState) =>
  toNonce({ key: BigInt(laneCount - 1), sequence: sequences[laneCount - 1] ?? 0n })

/**
 * Reads the account, simulates the calls and fills in gas limits and fees.
 *
 * @throws NOTHING_TO_DO, EXECUTION_REVERTED with the reason and the index of the call, OPERATION_REFUSED, and what
 * the network or the bundler fail with
 */
export async function estimateOperation(request: EstimateRequest): Promise<EstimatedOperation> {
  const { wallet, network, bundler, calls, paymasterAndData, allowRevert } = request
  const [state, fees, stub] = await Promise.all([
    readAccountState(network, wallet.address),
    network.fees(),
    stubFor(request.signer ?? firstOwnerSigner(wallet), network),
  ])
  if (state.deployed && calls.length === 0) throw new LanyardError('NOTHING_TO_DO')

  const draft: SignedUserOperation = {
    sender: wallet.address,
    nonce: standInNonce(state),
    initCode: state.deployed ? '0x' : encodeInitCode(wallet.owner, wallet.deployment),
    callData: encodeCalls(calls, wallet.deployment),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    paymasterAndData,
    signature: stub.signature,
  }
  const estimate = await bundler.estimate({ operation: draft, ...stub.simulation })
  if (!estimate.execution.success && !allowRevert) {
    throw await executionReverted(request, draft, stub, estimate)
  }
  const { callGasLimit, verificationGasLimit, preVerificationGas } = estimate
  return {
    state,
    fees,
    stub,
    operation: { ...draft, callGasLimit, verificationGasLimit, preVerificationGas },
  }
}

/**
 * Names the call that reverts: the last one of the shortest beginning of the batch that does. MultiSendCallOnly
 * 1.4.1 swallows the reason, so the call is then asked alone.
 */
async function executionReverted(
  { wallet, bundler, calls }: EstimateRequest,
  draft: SignedUserOperation,
  stub: StubbedSignature,
  { execution: whole }: GasEstimate,
): Promise<LanyardError> {
  const simulate = async (some: readonly Call[]) => {
    const callData = encodeCalls(some, wallet.deployment)
    const { execution } = await bundler.estimate({ operation: { ...draft, callData }, ...stub.simulation })
    return execution
  }
  let passing = 0
  let failing = calls.length
  while (failing - passing > 1) {
    const middle = (passing + failing) >> 1
    if ((await simulate(calls.slice(0, middle))).success) passing = middle
    else failing = middle
  }
  const call = failing - 1
  const { revertData } = calls.length > 1 ? await simulate(calls.slice(call, failing)) : whole
  const { reason } = decodeRevert(revertData)
  return new LanyardError('EXECUTION_REVERTED', {
    message: `Call ${call} would revert: ${reason}. Send allowRevert: true to build it nevertheless.`,
    issues: [{ path: `transactionDetails.${call}`, message: reason }],
    details: { call, reason, revertData },
  })
}
