import { type Call, encodeRemoveOwner } from '@lanyard/accounts'
import { safeAbi, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { type SessionKey, sessionKeyId } from '../session/session-key.ts'

/** The head of the Safe's linked list of modules: `SENTINEL_MODULES` in ModuleManager.sol. */
const sentinelModules: Address = '0x0000000000000000000000000000000000000001'

export interface EncodeRevokeParameters {
  readonly account: Address
  /** The SessionKeys contract. */
  readonly sessionKeys: Address
  readonly key: SessionKey
  /**
   * Set if this is the last session and the account returns to its state before the first: the complete
   * results of `Safe.getOwners` and `Safe.getModulesPaginated`, in their order, because both are linked
   * lists.
   */
  readonly remove?: { readonly owners: readonly Address[]; readonly modules: readonly Address[] }
}

/**
 * The account's calls that end the session of `key`. With `remove` they also remove the contract from the
 * account's owners and modules, if it is one of them.
 *
 * @throws AccountsError LAST_OWNER if the contract would be the account's only owner.
 */
export function encodeRevoke({ account, sessionKeys, key, remove }: EncodeRevokeParameters): Call[] {
  const data = encodeFunctionData({
    abi: sessionKeysAbi,
    functionName: 'revoke',
    args: [sessionKeyId(key)],
  })
  const calls: Call[] = [{ to: sessionKeys, value: 0n, data }]
  if (remove?.owners.some((owner) => isAddressEqual(owner, sessionKeys)))
    calls.push(encodeRemoveOwner({ account, owner: sessionKeys, owners: remove.owners }))
  const index = remove?.modules.findIndex((module) => isAddressEqual(module, sessionKeys)) ?? -1
  if (index !== -1) {
    const previous = remove?.modules[index - 1] ?? sentinelModules
    const disable = encodeFunctionData({
      abi: safeAbi,
      functionName: 'disableModule',
      args: [previous, sessionKeys],
    })
    calls.push({ to: account, value: 0n, data: disable })
  }
  return calls
}
