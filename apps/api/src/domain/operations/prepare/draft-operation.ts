import type { SignedUserOperation } from '@lanyard/accounts'
import type { Fees } from '@lanyard/networks'
import { accountOf } from '../../accounts/accounts/wallet.ts'
import type { OperationSigner, StubbedSignature } from '../operation-signer.ts'
import type { AccountState } from './account-state.ts'
import type { EstimateRequest } from './estimate-request.ts'
import { placeholderNonce } from './placeholder-nonce.ts'

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
