import {
  type Call,
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  requiredPrefund,
  type SignedUserOperation,
} from '@lanyard/accounts'
import type { Bundler, GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Fees } from '@lanyard/networks'
import { hashLongBytes } from '../../../platform/off-loop/off-loop.ts'
import { isImported } from '../../accounts/accounts/kind.ts'
import { type AnyWallet, accountOf, initCodeOf } from '../../accounts/accounts/wallet.ts'
import type { BuildTarget, Payer } from '../build-request.ts'
import { describeRevert, type OperationFeatures } from '../dependencies.ts'
import { laneCount, toNonce } from '../nonces.ts'
import { firstOwnerSigner } from '../signers/find-signer.ts'
import type { OperationSigner, StubbedSignature } from '../signers/signer.ts'
import { type AccountState, readAccountState, rememberDeployed, wasDeployed } from './account-state.ts'

export interface EstimatedOperation {
  readonly state: AccountState
  readonly fees: Fees
  /** The complete operation. Its nonce and its signature are placeholders. */
  readonly operation: SignedUserOperation
  /** How the stub signature in it is simulated. */
  readonly stub: StubbedSignature
}

/**
 * Reads the account, simulates the calls, and fills in gas limits and fees. For a deployed account this takes
 * one round trip, see {@link startSpeculativeEstimate}.
 *
 * @throws NOTHING_TO_DO, EXECUTION_REVERTED with the reason and the index of the call, SESSION_REFUSED,
 * OPERATION_REFUSED, and errors of the network or the bundler
 */
export async function estimateOperation(request: EstimateRequest): Promise<EstimatedOperation> {
  const { wallet, network, bundler, calls, payer } = request
  const signer = request.signer ?? firstOwnerSigner(wallet)
  // Starts before the reads, in the same tick, so that all requests leave as one JSON-RPC batch.
  const speculative = startSpeculativeEstimate(request, signer)
  const [state, market] = await Promise.all([readAccountState(network, wallet), network.fees()])
  const fees = offeredFees(payer, market)
  rememberDeployed(network, wallet.address, state.deployed)
  if (state.deployed && calls.length === 0) throw new LanyardError('NOTHING_TO_DO')

  const { operation: draft, stub, shortfall } = await draftOperation(request, signer, state, fees)
  const hashing = hashLongBytes(draft.callData) // while the node simulates
  hashing.catch(() => {})
  const estimate =
    (await speculative?.estimateOf(draft)) ??
    (await bundler.estimate({
      operation: draft,
      ...stub.simulation,
      mustBeSteady: payer.mustBeSteady ?? false,
    }))
  await hashing
  const mayRevert = request.allowRevert && payer.maySponsorReverts
  if (!estimate.execution.success) {
    const reason = signer.explainRevert?.(estimate.execution)
    if (reason && (reason.isLasting || !mayRevert)) throw reason.error
    if (!reason && !mayRevert) throw await executionReverted(request, draft, stub, estimate)
  }
  const { callGasLimit, verificationGasLimit, preVerificationGas } = estimate
  return {
    state,
    fees,
    stub,
    operation: {
      ...draft,
      callGasLimit,
      verificationGasLimit: verificationGasLimit + stub.shortfall.verification,
      preVerificationGas:
        preVerificationGas +
        stub.shortfall.preVerification +
        shortfall +
        (payer.preVerificationShortfall ?? 0n),
      paymasterAndData: payer.withGas(estimate),
    },
  }
}

/**
 * Finds the call that reverts: the last call of the shortest prefix of the batch that reverts.
 * MultiSendCallOnly 1.4.1 swallows the reason, so that call is then simulated alone.
 */
async function executionReverted(
  { wallet, bundler, features, calls, payer, prepended = 0 }: EstimateRequest,
  draft: SignedUserOperation,
  stub: StubbedSignature,
  { execution: whole }: GasEstimate,
): Promise<LanyardError> {
  const simulate = async (some: readonly Call[]) => {
    const callData = accountOf(wallet).encodeCalls(some) // a session's contract names the call itself
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
  const reason = describeRevert(features, revertData)
  const remedy = payer.maySponsorReverts ? ' Send allowRevert: true to build it anyway.' : ''
  if (call < prepended) {
    return new LanyardError('EXECUTION_REVERTED', {
      message: `A call that the service put in front would revert: ${reason}.${remedy}`,
      details: { reason, revertData },
    })
  }
  const own = call - prepended
  return new LanyardError('EXECUTION_REVERTED', {
    message: `Call ${own} would revert: ${reason}.${remedy}`,
    issues: [{ path: `transactionDetails.${own}`, message: reason }],
    details: { call: own, reason, revertData },
  })
}

/** The fees of a new operation. Its cap is the market's, also with a lower tip. */
const offeredFees = ({ offersMinTip }: Pick<Payer, 'offersMinTip'>, market: Fees): Fees =>
  offersMinTip ? { ...market, maxPriorityFeePerGas: market.minTip } : market

/** An estimate that starts before the operation is known for certain. */
interface SpeculativeEstimate {
  /**
   * The estimate for a draft; undefined when the draft differs from the guess, or when the estimate failed.
   * The caller then estimates again.
   */
  estimateOf(draft: SignedUserOperation): Promise<GasEstimate | undefined>
}

/** No lane was ever used: all guesses take the nonce of the last lane, which is used last. */
const unusedLanes = Array.from({ length: laneCount }, () => 0n)

/**
 * Starts the estimate of an operation in parallel with the reads that it depends on, for the most likely
 * results of these reads: with a distant node, this saves a round trip. An account that was never read gets two estimates,
 * with and without its deployment; the node rejects one of them at once. A wrong guess (an account with all lanes in use,
 * or deployed since by somebody else) costs the node one simulation.
 *
 * @returns undefined when there is nothing to base a guess on: the fees of this network were never read, or
 * there are no calls
 */
function startSpeculativeEstimate(
  request: EstimateRequest,
  signer: OperationSigner,
): SpeculativeEstimate | undefined {
  const { bundler, calls, network, wallet, payer } = request
  if (!network.lastFees || calls.length === 0) return undefined
  const fees = offeredFees(payer, network.lastFees)
  const known = isImported(wallet) ? true : wasDeployed(network, wallet.address)
  const states = known === undefined ? [true, false] : [known]
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
  for (const one of started) one.catch(() => {}) // the reads may fail first, and then no caller waits for it
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

export interface EstimateRequest extends BuildTarget<AnyWallet> {
  readonly bundler: Bundler
  readonly features: Pick<OperationFeatures, 'revertDecoders'>
  readonly calls: readonly Call[]
  readonly payer: Payer
  readonly allowRevert: boolean
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** Number of calls that the service put in front of the caller's calls. */
  readonly prepended?: number | undefined
}

/** The calls of an estimate: those that the payer needs come first. */
export function withPrepended({
  calls,
  payer: { prepends },
  prepended = 0,
}: Pick<EstimateRequest, 'calls' | 'payer' | 'prepended'>): Pick<EstimateRequest, 'calls' | 'prepended'> {
  const added = prepends?.draft ?? []
  return { calls: [...added, ...calls], prepended: prepended + added.length }
}

/** An operation for simulation: its nonce and its signature are placeholders, its gas limits are zero. */
interface DraftOperation {
  readonly operation: SignedUserOperation
  readonly stub: StubbedSignature
  /**
   * How much preVerificationGas may fall short once the operation gets its own nonce, at most. Units of gas.
   */
  readonly shortfall: bigint
}

/**
 * @param state - `deployed` and `sequences` decide the init code and the nonce
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED: a passkey's stub depends on the chain's precompile
 */
async function draftOperation(
  { wallet, network, calls, payer }: Pick<EstimateRequest, 'wallet' | 'network' | 'calls' | 'payer'>,
  signer: OperationSigner,
  state: Pick<AccountState, 'deployed' | 'sequences'>,
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
): Promise<DraftOperation> {
  const { nonce, shortfall } = placeholderNonce(state, payer, signer)
  const unsigned = {
    sender: wallet.address,
    nonce,
    initCode: initCodeOf(wallet, network, state),
    callData: signer.encodeCallData(calls, wallet),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: payer.draft,
    entryPoint: wallet.deployment.entryPoint,
  } as const
  const stub = await signer.stubFor(network, payer, unsigned)
  return { operation: { ...unsigned, signature: stub.signature }, stub, shortfall }
}

interface PlaceholderNonce {
  readonly nonce: bigint
  /**
   * How much the operation's preVerificationGas may fall short once it gets its own nonce, at most. Units of
   * gas.
   */
  readonly shortfall: bigint
}

/**
 * A placeholder for the nonce, because the lane is chosen later, under a lock. The simulation checks nonces,
 * so the placeholder must be valid: it is that of a lane that was never used, if there is one. Such a lane
 * costs the most to execute. As calldata it is the cheapest: every byte of a used lane's sequence costs more
 * than its zeros.
 */
function placeholderNonce(
  { sequences }: Pick<AccountState, 'sequences'>,
  { position }: Pick<Payer, 'position'>,
  signer: Pick<OperationSigner, 'position'>,
): PlaceholderNonce {
  if (signer.position) {
    const nonce = toNonce(signer.position)
    return { nonce, shortfall: nonceShortfall(nonce, [signer.position.sequence]) }
  }
  if (position) return { nonce: toNonce(position), shortfall: 0n }
  const fresh = sequences.lastIndexOf(0n)
  const lane = fresh === -1 ? laneCount - 1 : fresh
  const nonce = toNonce({ key: BigInt(lane), sequence: sequences[lane] ?? 0n })
  return { nonce, shortfall: nonceShortfall(nonce, sequences) }
}

/**
 * Maximum extra gas of a byte that is zero in the estimate but not in the operation (EIP-7623: four tokens
 * instead of one).
 */
const gasOfByte = 3n * ethereumPreVerificationGas.floorGasPerToken

/** @param sequences - the next sequence of each nonce key that may be chosen, at the head of the chain */
export function nonceShortfall(placeholder: bigint, sequences: readonly bigint[]): bigint {
  const last = sequences.reduce((limit, sequence) => (sequence > limit ? sequence : limit), 0n)
  const key = nonZeroBytes(placeholder >> 64n)
  // Pending operations may be included before this one, at most one per lane. A lane's key is one byte.
  const worstCase = (key > 0 ? key : 1) + bytesOf(last + BigInt(laneCount)).length
  const counted = nonZeroBytes(placeholder)
  return worstCase > counted ? BigInt(worstCase - counted) * gasOfByte : 0n
}

const nonZeroBytes = (value: bigint): number => bytesOf(value).filter((byte) => byte !== '00').length

function bytesOf(value: bigint): readonly string[] {
  const digits = value.toString(16)
  return digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? []
}

const sumOfValues = (calls: readonly Call[]) => calls.reduce((sum, { value }) => sum + value, 0n)

/**
 * Rejects an operation that the account cannot pay for: the prefund (first from its deposit, then from its
 * balance), unless a paymaster pays, and the native value that its calls send.
 *
 * The calls may receive value before they send it (for example, by unwrapping). If the balance is below their
 * sum, a simulation with the real balance decides.
 *
 * @throws INSUFFICIENT_FUNDS with `required`, `available` and `missing` in wei
 */
export async function requireFunds(
  { wallet, network, bundler, calls, allowRevert, payer }: EstimateRequest,
  { state, operation, stub }: EstimatedOperation,
): Promise<void> {
  const paysItself = operation.paymasterAndData === '0x'
  const prefund = paysItself ? requiredPrefund(operation) : 0n
  const fromBalance = prefund > state.deposit ? prefund - state.deposit : 0n
  const value = sumOfValues(calls)
  const required = fromBalance + value
  if (state.balance >= required) return
  if (state.balance >= fromBalance) {
    if (allowRevert && payer.maySponsorReverts) return
    const balance = state.balance - fromBalance
    const stateOverride = [...stub.simulation.stateOverride, { address: wallet.address, balance }]
    const { execution } = await bundler.estimate({ operation, ...stub.simulation, stateOverride })
    if (execution.success) return
  }
  throw new LanyardError('INSUFFICIENT_FUNDS', {
    message: `The account ${wallet.address} needs ${required} wei on ${network.config.name} and has ${state.balance}. Send it ${required - state.balance} wei.`,
    details: {
      network: network.chainId,
      required: String(required),
      available: String(state.balance),
      missing: String(required - state.balance),
    },
  })
}
