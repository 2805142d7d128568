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

/** Unix seconds; 0: without a bound. */
export interface Validity {
  readonly validAfter: number
  readonly validUntil: number
}

/**
 * Who is going to sign an operation. Operations know two kinds themselves, an EOA and a passkey; a feature brings its own
 * by implementing this, as session keys do.
 */
export interface OperationSigner {
  /** The call data with which the account makes these calls. */
  encodeCallData(calls: readonly Call[], wallet: Wallet): Hex
  /** What the signature bounds: the payer's end, or less. */
  validityOf(payer: { readonly validUntil: number }): Validity
  /**
   * A stub for the signature, as long and as costly as a real one.
   *
   * @param payer - `validUntil` in Unix seconds: it is among the signature's bytes
   * @param operation - what is simulated
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  stubFor(
    network: Network,
    payer: { readonly validUntil: number },
    operation: Omit<SignedUserOperation, 'signature'>,
  ): Promise<StubbedSignature>
  /** The only nonce that it can use; absent: any lane. */
  readonly position?: NoncePosition
  /** What the operation's row keeps of it, as JSON; absent: nothing. */
  readonly stored?: string
  /** Refuses an operation whose gas is known and that the signer may not sign. */
  requireAllowed?(operation: UserOperation): void
  /** Why the calls revert, where one simulation can say; absent: the calls are tried one by one. */
  explainRevert?(execution: GasEstimate['execution']): RevertReason
}

export interface RevertReason {
  readonly error: LanyardError
  /** It will revert whatever happens before it is included, so `allowRevert` does not help. */
  readonly isLasting: boolean
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

/** Code that answers 1 in 32 bytes to everything: PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const answersOne: Hex = '0x60015f5260205ff3'

/**
 * Gas. What the Solidity verifier needs for the costliest signature (about 400,000) and what surrounds it; a stub
 * may cost it less.
 */
const solidityVerifierFloor = 500_000n

interface PasskeyOwner {
  /** The owner that stands for the passkey: the shared signer, or the passkey's own. */
  readonly contract: Address
  /** uint176, packed: precompile ‖ fallback verifier. */
  readonly verifiers: bigint
}

/**
 * A passkey that owns the account by its signer contract.
 *
 * Where the chain has the P-256 precompile, a real signature ends there, and a stub, which is bad, would go on to the
 * fallback verifier in Solidity and cost 50 times as much. So the fallback's code is replaced by some that agrees.
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

/** The owner that the account was made with. */
export const firstOwnerSigner = ({ owner, deployment }: Wallet): OperationSigner =>
  owner.kind === 'eoa'
    ? eoaSigner
    : passkeySigner({ contract: deployment.sharedSigner, verifiers: owner.verifiers })

/** The lower 160 bits: `P256.Verifiers` in Safe's passkey module. */
const fallbackVerifier = (verifiers: bigint): Address =>
  getAddress(numberToHex(verifiers & (2n ** 160n - 1n), { size: 20 }))
