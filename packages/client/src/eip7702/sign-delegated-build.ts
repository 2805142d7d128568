import type { Address, Hash, Hex, SignedAuthorization } from 'viem'
import {
  type VerifiedDelegatedBuild,
  type VerifyDelegatedBuildParameters,
  verifyDelegatedBuild,
} from './verify-delegated-build.ts'

/** A local viem account, or the account of a wallet SDK in viem's form (Privy, Turnkey). */
export interface DelegatedSigner {
  readonly address: Address
  signTypedData(typedData: VerifiedDelegatedBuild['typedData']): Promise<Hex>
  signAuthorization(
    authorization: NonNullable<VerifiedDelegatedBuild['authorization']>,
  ): Promise<SignedAuthorization>
}

export interface SignDelegatedBuildParameters extends Omit<VerifyDelegatedBuildParameters, 'eoa'> {
  /** The EOA that is the account. */
  readonly signer: DelegatedSigner
}

/** What `smartAccount.submit` takes besides the account. */
export interface DelegatedSignatures {
  readonly signature: Hex
  readonly userOpHash: Hash
  readonly authorization?: Pick<SignedAuthorization, 'chainId' | 'address' | 'nonce' | 'r' | 's'> & {
    readonly yParity: number
  }
}

/**
 * Verifies a build of an EOA that is the account itself, and only then signs the operation, and the authorisation if
 * there is one.
 *
 * @example
 * const build = await lanyard.smartAccount.build(request)
 * const signed = await signDelegatedBuild({ build, request, signer })
 * await lanyard.smartAccount.submit({ walletAddress: signer.address, ...signed })
 * @throws BuildVerificationError if the build does not match the request; nothing is signed then
 */
export async function signDelegatedBuild({
  signer,
  ...parameters
}: SignDelegatedBuildParameters): Promise<DelegatedSignatures> {
  const { typedData, userOpHash, authorization } = verifyDelegatedBuild({
    ...parameters,
    eoa: signer.address,
  })
  if (!authorization) return { signature: await signer.signTypedData(typedData), userOpHash }
  // First: a wallet that signs no authorisations then signs nothing.
  const { r, s, yParity, v } = await signer.signAuthorization(authorization)
  return {
    signature: await signer.signTypedData(typedData),
    userOpHash,
    authorization: { ...authorization, r, s, yParity: yParity ?? (v === 28n ? 1 : 0) },
  }
}
