import { type Address, concat, type Hex, hexToNumber, numberToHex, size, slice } from 'viem'
import { AccountsError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { eoaStub } from '../signers/eoa/signature.ts'
import { passkeyStub } from '../signers/passkey/signature.ts'
import { assertUint } from '../words.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'

/** The contents of a user operation's `signature` for Safe4337Module. */
export interface OperationSignature {
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validAfter: number
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validUntil: number
  /** Signatures in the format of `Safe.checkSignatures`. */
  readonly signatures: Hex
}

/**
 * A user operation's `signature`: uint48 validAfter ‖ uint48 validUntil ‖ signatures (Safe4337Module 0.3.0,
 * `_getSafeOp`).
 *
 * @throws AccountsError OUT_OF_RANGE for a time over 48 bits.
 */
export function encodeSignature({ validAfter, validUntil, signatures }: OperationSignature): Hex {
  assertUint(BigInt(validAfter), 48, 'validAfter')
  assertUint(BigInt(validUntil), 48, 'validUntil')
  return concat([numberToHex(validAfter, { size: 6 }), numberToHex(validUntil, { size: 6 }), signatures])
}

/**
 * The inverse of `encodeSignature`.
 *
 * @throws AccountsError MALFORMED if it is shorter than the two timestamps.
 */
export function decodeSignature(signature: Hex): OperationSignature {
  if (size(signature) < 12)
    throw new AccountsError('MALFORMED', 'The signature is shorter than validAfter and validUntil.')
  return {
    validAfter: hexToNumber(slice(signature, 0, 6)),
    validUntil: hexToNumber(slice(signature, 6, 12)),
    signatures: size(signature) === 12 ? '0x' : slice(signature, 12),
  }
}

/** What stands for the signature of each kind of owner. */
const stubs: Readonly<Record<AccountOwner['kind'], (signer: Address) => Hex>> = {
  eoa: () => eoaStub,
  passkey: passkeyStub,
}

/**
 * A signature for gas estimation: at least as long and as costly as the owner's real ones, and valid for no
 * operation. If a chain has the P-256 precompile, a bad signature makes the signer contract fall through to
 * the Solidity verifier, which a real one does not. The estimation must therefore override that verifier's
 * code.
 *
 * @param options.signer for a passkey added later, its signer contract (`computeSignerAddress`).
 */
export function stubSignature(
  owner: Pick<AccountOwner, 'kind'>,
  options: {
    validAfter?: number
    validUntil?: number
    signer?: AccountDeployment['sharedSigner']
  } = {},
): Hex {
  const { validAfter = 0, validUntil = 0, signer = safeDeployment.sharedSigner } = options
  return encodeSignature({ validAfter, validUntil, signatures: stubs[owner.kind](signer) })
}
