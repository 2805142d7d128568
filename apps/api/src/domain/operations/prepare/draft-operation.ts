import { type Call, ethereumPreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import type { Fees } from '@lanyard/networks'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'
import { laneCount, toNonce } from '../lanes.ts'
import type { OperationFeatures } from '../operation-features.ts'
import type { OperationSigner, StubbedSignature } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { AccountState } from './account-state.ts'
import type { BuildTarget } from './build-request.ts'

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

/** An operation for simulation: its nonce and its signature are placeholders, its gas limits are zero. */
export interface DraftOperation {
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
export async function draftOperation(
  { wallet, network, calls, payer }: Pick<EstimateRequest, 'wallet' | 'network' | 'calls' | 'payer'>,
  signer: OperationSigner,
  state: Pick<AccountState, 'deployed' | 'sequences'>,
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
): Promise<DraftOperation> {
  const { nonce, shortfall } = placeholderNonce(state, payer, signer)
  const unsigned = {
    sender: wallet.address,
    nonce,
    initCode: state.deployed ? '0x' : accountOf(wallet).encodeInitCode(),
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
