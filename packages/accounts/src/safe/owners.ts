import { safeAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import type { Call } from '../call.ts'
import { AccountsError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { computeSignerAddress } from '../signers/passkey/signer-contract.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/**
 * The addresses under which a Safe can list an owner. A passkey that was added later owns by its own signer contract,
 * which comes first; the one that the account was created with, by the shared signer.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function ownerAddresses(
  owner: AccountOwner,
  deployment: Pick<AccountDeployment, 'signerFactory' | 'sharedSigner'> = defaultDeployment,
): readonly [Address, ...Address[]] {
  if (owner.kind === 'eoa') return [owner.address]
  return [computeSignerAddress(owner, deployment), deployment.sharedSigner]
}

/**
 * The account's call to itself that adds an owner: an EOA, or a passkey's signer contract
 * (`computeSignerAddress`). The threshold stays 1, so each owner can act alone.
 */
export function encodeAddOwner({ account, owner }: { account: Address; owner: Address }): Call {
  return {
    to: account,
    value: 0n,
    data: encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [owner, 1n] }),
  }
}

/** The head of the Safe's linked list of owners: `SENTINEL_OWNERS` in OwnerManager.sol. */
const sentinelOwners: Address = '0x0000000000000000000000000000000000000001'

/**
 * The account's call to itself that removes an owner; the threshold stays 1.
 *
 * @param parameters.owners the result of `Safe.getOwners()`, in its order: owners are a linked list, and the
 * call names the previous owner. The call reverts if an earlier operation changes the owners.
 * @throws AccountsError NOT_AN_OWNER; LAST_OWNER.
 */
export function encodeRemoveOwner({
  account,
  owner,
  owners,
}: {
  account: Address
  owner: Address
  owners: readonly Address[]
}): Call {
  const index = owners.findIndex((candidate) => isAddressEqual(candidate, owner))
  if (index === -1) throw new AccountsError('NOT_AN_OWNER', `${owner} does not own ${account}.`)
  if (owners.length === 1) throw new AccountsError('LAST_OWNER', `${owner} is the only owner of ${account}.`)
  const previous = owners[index - 1] ?? sentinelOwners
  return {
    to: account,
    value: 0n,
    data: encodeFunctionData({ abi: safeAbi, functionName: 'removeOwner', args: [previous, owner, 1n] }),
  }
}
