import { stubSignature } from '@lanyard/accounts'
import type { EstimateRequest } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'

/** Who is going to sign an operation: an EOA, or a passkey by its signer contract. */
export type OperationSigner =
  | { readonly kind: 'eoa' }
  | {
      readonly kind: 'passkey'
      /** The owner that stands for the passkey: the shared signer, or the passkey's own. */
      readonly contract: Address
      /** uint176, packed: precompile ‖ fallback verifier. */
      readonly verifiers: bigint
    }

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
}

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
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function stubFor(signer: OperationSigner, network: Network): Promise<StubbedSignature> {
  if (signer.kind === 'eoa') {
    return { signature: stubSignature(signer), simulation: { stateOverride: [] } }
  }
  const signature = stubSignature(signer, { signer: signer.contract })
  if (!(await network.hasP256Precompile())) {
    return { signature, simulation: { stateOverride: [], verificationGasFloor: solidityVerifierFloor } }
  }
  const stateOverride = [{ address: fallbackVerifier(signer.verifiers), code: answersOne }]
  return { signature, simulation: { stateOverride } }
}

/** The lower 160 bits: `P256.Verifiers` in Safe's passkey module. */
const fallbackVerifier = (verifiers: bigint): Address =>
  getAddress(numberToHex(verifiers & (2n ** 160n - 1n), { size: 20 }))
