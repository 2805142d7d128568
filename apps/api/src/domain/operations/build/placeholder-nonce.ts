import { ethereumPreVerificationGas } from '@lanyard/accounts'
import { laneCount, toNonce } from '../lanes.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { AccountState } from './account-state.ts'

export interface PlaceholderNonce {
  readonly nonce: bigint
  /** What the operation's preVerificationGas lacks at most when it gets its own nonce. Units of gas. */
  readonly shortfall: bigint
}

/**
 * The lane is chosen later, under a lock. The simulation checks nonces, so the placeholder is a valid one: that of a lane
 * that was never used, which is the costliest to execute, as long as there is one that may be chosen. As calldata it is
 * the cheapest: every byte of a used lane's sequence costs more than its zeros.
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

/** Gas of a byte that is zero in an estimate and not in the operation (EIP-7623: one token, and four), at most. */
const gasOfByte = 3n * ethereumPreVerificationGas.floorGasPerToken

/** @param sequences - the next of each nonce key that may be chosen, at the head of the chain */
export function nonceShortfall(placeholder: bigint, sequences: readonly bigint[]): bigint {
  const last = sequences.reduce((most, sequence) => (sequence > most ? sequence : most), 0n)
  const key = nonZeroBytes(placeholder >> 64n)
  // What is under way may be included before this one, at most an operation on each lane; a lane's key is one byte.
  const worstCase = (key > 0 ? key : 1) + bytesOf(last + BigInt(laneCount)).length
  const counted = nonZeroBytes(placeholder)
  return worstCase > counted ? BigInt(worstCase - counted) * gasOfByte : 0n
}

const nonZeroBytes = (value: bigint): number => bytesOf(value).filter((byte) => byte !== '00').length

function bytesOf(value: bigint): readonly string[] {
  const digits = value.toString(16)
  return digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? []
}
