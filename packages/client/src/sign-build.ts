import type { Account, Address, Hash, Hex } from 'viem'
import { type VerifyBuildParameters, verifyBuild } from './verify-build.ts'

/** A viem account that signs by itself. */
interface SigningAccount {
  readonly address: Address
  signMessage(parameters: { message: { raw: Hex } }): Promise<Hex>
}

/** A viem wallet client: the wallet asks its user. */
interface SigningWallet {
  readonly account?: Account | undefined
  signMessage(parameters: { account: Account | Address; message: { raw: Hex } }): Promise<Hex>
}

export type BuildSigner = SigningAccount | SigningWallet

export interface SignBuildParameters extends Omit<VerifyBuildParameters, 'owner'> {
  /** The owner's account, or a wallet client that has it. */
  readonly signer: BuildSigner
}

const isAccount = (signer: BuildSigner): signer is SigningAccount => 'address' in signer

/** @throws TypeError for a wallet client without an account */
export function addressOf(
  signer: BuildSigner | { readonly address: Address } | { readonly account: Account | undefined },
): Address {
  const address = 'address' in signer ? signer.address : signer.account?.address
  if (address === undefined) throw new TypeError('The wallet client has no account')
  return address
}

/**
 * Verifies a build, and only then signs its 32 bytes (`personal_sign`): what `smartAccount.submit` takes.
 *
 * @returns 65 bytes
 * @throws BuildVerificationError when the build is not what was asked for; nothing was signed then
 */
export async function signBuild(parameters: SignBuildParameters): Promise<Hex> {
  const { signature } = await signOperation(parameters)
  return signature
}

/**
 * As {@link signBuild}, with the operation's name: the service then compares the signature with this operation alone.
 *
 * @throws BuildVerificationError when the build is not what was asked for; nothing was signed then
 */
export async function signOperation({
  signer,
  ...parameters
}: SignBuildParameters): Promise<{ signature: Hex; userOpHash: Hash }> {
  const owner = addressOf(signer)
  const { hash, userOpHash } = verifyBuild({ ...parameters, owner: { kind: 'eoa', address: owner } })
  const message = { raw: hash } // the bytes, not the 66 characters of their hex text
  const signature = isAccount(signer)
    ? await signer.signMessage({ message })
    : await signer.signMessage({ account: owner, message })
  return { signature, userOpHash }
}
