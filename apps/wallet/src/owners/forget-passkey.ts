import { ownerAddresses, toOwner } from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { fetchNetworks } from '../networks/use-networks.ts'
import { signalRemovedPasskey } from '../passkey/signal.ts'
import { knownPasskey } from '../sign-in/known-passkey.ts'
import { verifyRecoveryKit } from '../sign-in/recovery-kit.ts'

/**
 * After a passkey was removed on every network: its provider stops offering it. Not the account's first passkey unless the change
 * also holds on networks that are added later: an account starts there with its first owner.
 *
 * The service says which credential an owner has, and could name one that stays. So the key of the credential must be the removed
 * owner's, as this browser saw it when the passkey was created.
 *
 * @param joinsAll - the change was signed for all networks, those of tomorrow included
 */
export async function forgetPasskey(
  account: Address,
  owner: Address,
  credentialId: string,
  joinsAll: boolean,
): Promise<void> {
  const key = knownPasskey(credentialId)
  if (!key) return
  const kit = await trpc.owner.recoveryKit.query({ walletAddress: account }).catch(() => undefined)
  const first = kit && (await verifyRecoveryKit(kit, account, fetchNetworks).catch(() => undefined))
  if (!first) return
  const isFirst = 'x' in first && first.x === key.x && first.y === key.y
  if (isFirst && !joinsAll) return
  // Every account has the shared signer as the address of its first passkey.
  const [signer, shared] = ownerAddresses(toOwner(key))
  const isRemoved = [signer, ...(isFirst ? [shared] : [])].some(
    (address) => address && isAddressEqual(address, owner),
  )
  if (isRemoved) await signalRemovedPasskey(kit.passkey?.rpId ?? location.hostname, credentialId)
}
