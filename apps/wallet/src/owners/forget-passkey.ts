import { ownerAddresses, readCreation } from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { signalRemovedPasskey } from '../passkey/signal.ts'

/**
 * After a passkey was removed on every network: its provider stops offering it. Not the account's first passkey unless the change
 * also holds on networks that are added later: an account starts there with its first owner.
 *
 * @param joinsAll - the change was signed for all networks, those of tomorrow included
 */
export async function forgetPasskey(
  account: Address,
  owner: Address,
  credentialId: string,
  joinsAll: boolean,
): Promise<void> {
  const kit = await trpc.owner.recoveryKit.query({ walletAddress: account }).catch(() => undefined)
  const first = kit && readCreation(kit)?.owner
  if (!first) return
  const isFirst = ownerAddresses(first).some((address) => isAddressEqual(address, owner))
  if (isFirst && !joinsAll) return
  await signalRemovedPasskey(kit.passkey?.rpId ?? location.hostname, credentialId)
}
