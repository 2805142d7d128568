import type { Account, Address, Hash, Hex } from 'viem'
import { type VerifyBuildParameters, verifyBuild } from './verify-build.ts'

/** A viem account that signs locally. */
interface SigningAccount {
  readonly address: Address
  signMessage(parameters: { message: { raw: Hex } }): Promise<Hex>
}

/** A viem wallet client, whose wallet prompts its user. */
interface SigningWallet {
  readonly account?: Account | undefined
  signMessage(parameters: { account: Account | Address; message: { raw: Hex } }): Promise<Hex>
}

export type BuildSigner = SigningAccount | SigningWallet

export interface SignBuildParameters extends Omit<VerifyBuildParameters, 'owner'> {
  /** The owner's account, or a wallet client with it. */
  readonly signer: BuildSigner
  /**
   * The account, if its address does not follow from the signer: an imported Safe (check it with `verifyExistingSafe`), or an
   * account that this owner was added to. Default: the account that the signer was the first owner of.
   */
  readonly account?: Address | undefined
}

const isAccount = (signer: BuildSigner): signer is SigningAccount => 'address' in signer

/** @throws TypeError if a wallet client has no account */
export function addressOf(
  signer: BuildSigner | { readonly address: Address } | { readonly account: Account | undefined },
): Address {
  const address = 'address' in signer ? signer.address : signer.account?.address
  if (address === undefined) throw new TypeError('The wallet client has no account')
  return address
}

/**
 * Verifies a build, and only then signs its 32 bytes (`personal_sign`) for `smartAccount.submit`.
 *
 * @returns 65 bytes
 * @throws BuildVerificationError if the build does not match the request; nothing is signed then
 */
export async function signBuild(parameters: SignBuildParameters): Promise<Hex> {
  const { signature } = await signOperation(parameters)
  return signature
}

/**
 * Like {@link signBuild}, but also returns the operation's hash, so that the service compares the signature
 * with this operation only.
 *
 * @throws BuildVerificationError if the build does not match the request; nothing is signed then
 */
export async function signOperation({
  signer,
  account,
  ...parameters
}: SignBuildParameters): Promise<{ signature: Hex; userOpHash: Hash }> {
  const owner = addressOf(signer)
  const { hash, userOpHash } = verifyBuild({
    ...parameters,
    owner: account === undefined ? { kind: 'eoa', address: owner } : { kind: 'account', address: account },
  })
  const message = { raw: hash } // the bytes, not the 66 characters of their hex text
  const signature = isAccount(signer)
    ? await signer.signMessage({ message })
    : await signer.signMessage({ account: owner, message })
  return { signature, userOpHash }
}
