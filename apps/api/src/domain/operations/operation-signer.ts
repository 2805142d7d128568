import { type Call, encodeCalls, type SignedUserOperation, stubSignature } from '@lanyard/accounts'
import type { EstimateRequest } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import { encodeSessionExecute, stubSessionSignature, stubShortfallGas } from '@lanyard/session-keys'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import type { Wallet } from '../accounts/accounts/wallet.ts'
import { type SessionSigner, sessionValidity, type Validity } from '../session-keys/session-signer.ts'

/** Who is going to sign an operation: an EOA, a passkey by its signer contract, or a session key. */
export type OperationSigner =
  | { readonly kind: 'eoa' }
  | {
      readonly kind: 'passkey'
      /** The owner that stands for the passkey: the shared signer, or the passkey's own. */
      readonly contract: Address
      /** uint176, packed: precompile ‖ fallback verifier. */
      readonly verifiers: bigint
    }
  | SessionSigner

/** A session's calls go through the contract that holds its limits. */
export function encodeCallData(signer: OperationSigner, calls: readonly Call[], { deployment }: Wallet): Hex {
  if (signer.kind !== 'session') return encodeCalls(calls, deployment)
  const { sessionKeys, key } = signer
  return encodeCalls([encodeSessionExecute({ sessionKeys, key, calls })], deployment)
}

/** The validity of what is signed: the payer's bounds, and a session's. */
export const validityOf = (
  signer: OperationSigner | undefined,
  { validUntil }: { readonly validUntil: number },
): Validity =>
  signer?.kind === 'session' ? sessionValidity(signer, { validUntil }) : { validAfter: 0, validUntil }

/** The owner that the account was made with. */
export function firstOwnerSigner({ owner, deployment }: Wallet): OperationSigner {
  if (owner.kind === 'eoa') return { kind: 'eoa' }
  return { kind: 'passkey', contract: deployment.sharedSigner, verifiers: owner.verifiers }
}

/** How an operation is simulated whose signature is a stub. */
export interface StubbedSignature {
  readonly signature: Hex
  readonly simulation: Required<Pick<EstimateRequest, 'stateOverride'>> &
    Pick<EstimateRequest, 'verificationGasFloor'>
  /** What a real signature costs beyond the stub, gas, in the limits of the same names. */
  readonly shortfall: { readonly verification: bigint; readonly preVerification: bigint }
}

const noShortfall = { verification: 0n, preVerification: 0n } as const

/**
 * A session's signature repeats the three gas limits, which are zero in its stub: at most 4 bytes each that count, and
 * one of the sequence, at 30 gas more than a zero byte where EIP-7623's floor holds.
 */
const sessionShortfall = { verification: stubShortfallGas, preVerification: 13n * 30n } as const

/** Code that answers 1 in 32 bytes to everything: PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const answersOne: Hex = '0x60015f5260205ff3'

/**
 * Gas. What the Solidity verifier needs for the costliest signature (about 400,000) and what surrounds it; a stub
 * may cost it less.
 */
const solidityVerifierFloor = 500_000n

/**
 * A stand-in for the signature, as long and as costly as a real one.
 *
 * Where the chain has the P-256 precompile, a real signature ends there, and a stub, which is bad, would go on to the
 * fallback verifier in Solidity and cost 50 times as much. So the fallback's code is replaced by some that agrees.
 *
 * @param payer - `validUntil` in Unix seconds: it is among the signature's bytes
 * @param operation - what is simulated; a session's signature has parts of it
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function stubFor(
  signer: OperationSigner,
  network: Network,
  { validUntil }: { readonly validUntil: number },
  operation: Omit<SignedUserOperation, 'signature'>,
): Promise<StubbedSignature> {
  if (signer.kind === 'session') {
    const { key, sessionKeys } = signer
    const validity = sessionValidity(signer, { validUntil })
    const signature = stubSessionSignature({ operation, ...validity, sessionKeys, key })
    return { signature, simulation: { stateOverride: [] }, shortfall: sessionShortfall }
  }
  if (signer.kind === 'eoa') {
    const signature = stubSignature(signer, { validUntil })
    return { signature, simulation: { stateOverride: [] }, shortfall: noShortfall }
  }
  const signature = stubSignature(signer, { signer: signer.contract, validUntil })
  if (!(await network.hasP256Precompile())) {
    return {
      signature,
      simulation: { stateOverride: [], verificationGasFloor: solidityVerifierFloor },
      shortfall: noShortfall,
    }
  }
  const stateOverride = [{ address: fallbackVerifier(signer.verifiers), code: answersOne }]
  return { signature, simulation: { stateOverride }, shortfall: noShortfall }
}

/** The lower 160 bits: `P256.Verifiers` in Safe's passkey module. */
const fallbackVerifier = (verifiers: bigint): Address =>
  getAddress(numberToHex(verifiers & (2n ** 160n - 1n), { size: 20 }))
