import {
  type Call,
  encodeCalls,
  type SignedUserOperation,
  stubSignature,
  type UserOperation,
} from '@lanyard/accounts'
import type { EstimateRequest, GasEstimate } from '@lanyard/bundler'
import type { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import type { Wallet } from '../accounts/accounts/wallet.ts'
import type { NoncePosition } from './lanes.ts'

/** Unix seconds; 0 means no bound. */
export interface Validity {
  readonly validAfter: number
  readonly validUntil: number
}

/**
 * The signer of an operation. This module knows two kinds, an EOA and a passkey. A feature adds its own kind
 * by implementing this interface, as session keys do.
 */
export interface OperationSigner {
  /** The call data with which the account makes these calls. */
  encodeCallData(calls: readonly Call[], wallet: Wallet): Hex
  /** The validity in the signature: the payer's expiry, or a shorter one. */
  validityOf(payer: { readonly validUntil: number }): Validity
  /**
   * A stub for the signature, as long and as costly as a real one.
   *
   * @param payer - `validUntil` in Unix seconds; it is part of the signature's bytes
   * @param operation - the simulated operation
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  stubFor(
    network: Network,
    payer: { readonly validUntil: number },
    operation: Omit<SignedUserOperation, 'signature'>,
  ): Promise<StubbedSignature>
  /** The only nonce that this signer can use; absent: any lane. */
  readonly position?: NoncePosition
  /** JSON that the operation's row stores about the signer; absent: nothing. */
  readonly stored?: object
  /** Rejects an operation that the signer may not sign, once its gas is known. */
  requireAllowed?(operation: UserOperation): void
  /**
   * Explains why the calls revert, if one simulation shows it; absent: the calls are simulated one by one.
   */
  explainRevert?(execution: GasEstimate['execution']): RevertReason
}

export interface RevertReason {
  readonly error: LanyardError
  /** The calls revert regardless of what is included before them, so `allowRevert` does not help. */
  readonly isLasting: boolean
}

/** How an operation with a stub signature is simulated. */
export interface StubbedSignature {
  readonly signature: Hex
  readonly simulation: Required<Pick<EstimateRequest, 'stateOverride'>> &
    Pick<EstimateRequest, 'verificationGasFloor'>
  /** Extra gas of a real signature compared with the stub, for the limits of the same names. */
  readonly shortfall: { readonly verification: bigint; readonly preVerification: bigint }
}

const noShortfall = { verification: 0n, preVerification: 0n } as const

const ownerSigner = {
  encodeCallData: (calls: readonly Call[], { deployment }: Wallet): Hex => encodeCalls(calls, deployment),
  validityOf: ({ validUntil }: { readonly validUntil: number }): Validity => ({ validAfter: 0, validUntil }),
}

/** An EOA that owns the account. */
export const eoaSigner: OperationSigner = {
  ...ownerSigner,
  stubFor: async (_network, { validUntil }) => ({
    signature: stubSignature({ kind: 'eoa' }, { validUntil }),
    simulation: { stateOverride: [] },
    shortfall: noShortfall,
  }),
}

/** Code that returns 1 in 32 bytes for every call: PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const answersOne: Hex = '0x60015f5260205ff3'

/**
 * Gas. The Solidity verifier needs about 400,000 for the costliest signature, and the surrounding code needs
 * some more. A stub may cost less.
 */
const solidityVerifierFloor = 500_000n

interface PasskeyOwner {
  /** The owner that represents the passkey on chain: the shared signer, or the passkey's own. */
  readonly contract: Address
  /** uint176, packed: precompile ‖ fallback verifier. */
  readonly verifiers: bigint
}

/**
 * A passkey that owns the account through its signer contract.
 *
 * On a chain with the P-256 precompile, the precompile accepts a real signature. A stub is invalid, so
 * verification would continue in the fallback verifier in Solidity and cost 50 times as much. The simulation
 * therefore replaces the fallback's code with code that accepts everything.
 */
export const passkeySigner = ({ contract, verifiers }: PasskeyOwner): OperationSigner => ({
  ...ownerSigner,
  async stubFor(network, { validUntil }) {
    const signature = stubSignature({ kind: 'passkey' }, { signer: contract, validUntil })
    const simulation = (await network.hasP256Precompile())
      ? { stateOverride: [{ address: fallbackVerifier(verifiers), code: answersOne }] }
      : { stateOverride: [], verificationGasFloor: solidityVerifierFloor }
    return { signature, simulation, shortfall: noShortfall }
  },
})

/** The owner that the account was created with. */
export const firstOwnerSigner = ({ owner, deployment }: Wallet): OperationSigner =>
  owner.kind === 'eoa'
    ? eoaSigner
    : passkeySigner({ contract: deployment.sharedSigner, verifiers: owner.verifiers })

/** The lower 160 bits: `P256.Verifiers` in Safe's passkey module. */
const fallbackVerifier = (verifiers: bigint): Address =>
  getAddress(numberToHex(verifiers & (2n ** 160n - 1n), { size: 20 }))
