import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem'
import type { Call } from '../call.ts'
import { AccountsError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { computeSignerAddress } from '../signers/passkey/signer-contract.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { sentinel } from './reads.ts'

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
  const previous = owners[index - 1] ?? sentinel
  return {
    to: account,
    value: 0n,
    data: encodeFunctionData({ abi: safeAbi, functionName: 'removeOwner', args: [previous, owner, 1n] }),
  }
}

/** The account's call to itself that enables a module, which can then act for the account. */
export function encodeEnableModule({ account, module }: { account: Address; module: Address }): Call {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [module] })
  return { to: account, value: 0n, data }
}

/**
 * The account's call to itself that disables a module.
 *
 * @param parameters.modules all modules of the account in its order, because they are a linked list
 * @returns undefined if the account does not have the module
 */
export function encodeDisableModule({
  account,
  module,
  modules,
}: {
  account: Address
  module: Address
  modules: readonly Address[]
}): Call | undefined {
  const index = modules.findIndex((candidate) => isAddressEqual(candidate, module))
  if (index === -1) return undefined
  const previous = modules[index - 1] ?? sentinel
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'disableModule', args: [previous, module] })
  return { to: account, value: 0n, data }
}

/** The account's call to itself after which no contract can refuse its transactions. */
export function encodeRemoveGuard({ account }: { account: Address }): Call {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'setGuard', args: [zeroAddress] })
  return { to: account, value: 0n, data }
}

/** The account's call to itself that names the contract that answers what the account itself does not. */
export function encodeSetHandler({ account, handler }: { account: Address; handler: Address }): Call {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'setFallbackHandler', args: [handler] })
  return { to: account, value: 0n, data }
}

/** A call of the account to itself that adds or removes an owner or a module. */
export type MemberChange =
  | { readonly kind: 'add-owner' | 'remove-owner'; readonly owner: Address; readonly threshold: bigint }
  | { readonly kind: 'enable-module' | 'disable-module'; readonly module: Address }

/** Reads the call data of such a call; undefined for any other. */
export function readMemberChange(data: Hex): MemberChange | undefined {
  const call = decodeSelfCall(data)
  switch (call?.functionName) {
    case 'addOwnerWithThreshold':
      return { kind: 'add-owner', owner: call.args[0], threshold: call.args[1] }
    case 'removeOwner':
      return { kind: 'remove-owner', owner: call.args[1], threshold: call.args[2] }
    case 'enableModule':
      return { kind: 'enable-module', module: call.args[0] }
    case 'disableModule':
      return { kind: 'disable-module', module: call.args[1] }
    default:
      return undefined
  }
}

function decodeSelfCall(data: Hex) {
  try {
    return decodeFunctionData({ abi: safeAbi, data })
  } catch {
    return undefined // viem throws on an unknown selector and on arguments that do not decode
  }
}
