import { type Address, type Hex, hexToBigInt, isAddressEqual } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { computeAccountAddress } from './compute-account-address.ts'
import { type AccountDeployment, safeDeployment } from './deployment.ts'
import { encodeInitializer } from './encode-initializer.ts'

/** How an account was created, as a recovery kit records it. */
export interface AccountCreation {
  readonly walletAddress: Address
  readonly factory: Address
  readonly singleton: Address
  /** Decimal. */
  readonly saltNonce: string
  readonly initializer: Hex
  readonly module: Address
  readonly entryPoint: Address
  readonly ownership?: Address | undefined
  /** The first owner, if it is an EOA. */
  readonly eoaAddress?: Address | undefined
  /** The first owner, if it is a passkey. */
  readonly passkey?:
    | { readonly x: Hex; readonly y: Hex; readonly verifiers: Hex; readonly sharedSigner: Address }
    | undefined
}

/**
 * Reads the first owner and the contracts of an account. The address must follow from them, so a changed record never
 * leads to another account.
 *
 * @returns undefined if the address, the initializer or the entry point does not match
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function readCreation(
  creation: AccountCreation,
): { readonly owner: AccountOwner; readonly deployment: AccountDeployment } | undefined {
  const owner = readFirstOwner(creation)
  if (!owner) return undefined
  const { walletAddress, factory, singleton, saltNonce, module, ownership, passkey } = creation
  const deployment = {
    ...safeDeployment,
    ...{ factory, singleton, module },
    ...(ownership && { ownership }),
    saltNonce: BigInt(saltNonce),
    sharedSigner: passkey?.sharedSigner ?? safeDeployment.sharedSigner,
  }
  const matches =
    isAddressEqual(computeAccountAddress(owner, deployment), walletAddress) &&
    encodeInitializer(owner, deployment) === creation.initializer.toLowerCase() &&
    // The address does not depend on the entry point, which is a constant of the module.
    isAddressEqual(creation.entryPoint, safeDeployment.entryPoint)
  return matches ? { owner, deployment } : undefined
}

/** The first owner, which determines the address. */
function readFirstOwner({
  eoaAddress,
  passkey,
}: Pick<AccountCreation, 'eoaAddress' | 'passkey'>): AccountOwner | undefined {
  if (eoaAddress) return { kind: 'eoa', address: eoaAddress }
  if (!passkey) return undefined
  const { x, y, verifiers } = passkey
  return { kind: 'passkey', x: hexToBigInt(x), y: hexToBigInt(y), verifiers: hexToBigInt(verifiers) }
}
