import { ethereumPreVerificationGas } from '@lanyard/accounts'
import { laneCount, toNonce } from '../lanes.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { AccountState } from './account-state.ts'

export interface PlaceholderNonce {
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
export function placeholderNonce(
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
