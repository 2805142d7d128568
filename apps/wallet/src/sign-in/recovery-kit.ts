import { type AccountOwner, readCreation } from '@lanyard/accounts'
import { type AssertionResponse, isSignedBy } from '@lanyard/client'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { brand } from '@lanyard/ui'
import { type Address, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import { fetchNetworks, type Network } from '../networks/use-networks.ts'

export type RecoveryKit = EndpointOutput<typeof endpoints.owner.recoveryKit>

/**
 * Verifies that the kit belongs to this account: its address must follow from the owner, the contracts and
 * the initializer in the kit. Otherwise a wrong kit would be noticed only when it is needed. A module of the kit must be
 * the Ownership that this wallet knows.
 *
 * @param networks - not called for an account without the module
 * @returns the first owner, which determines the address
 * @throws WalletError KIT_DIFFERS, FOREIGN_MODULE; errors of `networks`
 */
export async function verifyRecoveryKit(
  kit: RecoveryKit,
  account: Address,
  networks: () => Promise<readonly Pick<Network, 'sessionKeys' | 'smartBalance'>[]>,
): Promise<AccountOwner> {
  const creation = isAddressEqual(kit.walletAddress, account) ? readCreation(kit) : undefined
  if (!creation) throw new WalletError('KIT_DIFFERS')
  const { ownership } = kit
  if (!ownership) return creation.owner
  const known = await networks()
  // The module's code is 20 kB, which only accounts with the module need.
  const { requireKnownModule } = await import('../networks/known-module.ts')
  requireKnownModule(ownership, known)
  return creation.owner
}

/**
 * Formats the kit as the file that the person stores. It contains no secret.
 *
 * @param recoveryPage - URL of the page that moves everything out with this file alone (apps/recovery)
 */
export function formatRecoveryKit(kit: RecoveryKit, username: string, recoveryPage: string): string {
  const about = `Recovery kit of a ${brand.name} account. It holds no secret; keep it beside your recovery key. The page of recoveryPage moves everything out with this file, without the service: save that page now, it is one file that works from anywhere.`
  return `${JSON.stringify({ about, version: 2, username, recoveryPage, ...kit }, null, 2)}\n`
}

/**
 * Whether the account's address follows from the passkey that signed in.
 *
 * @throws WalletError KIT_DIFFERS if the kit does not lead to the address, FOREIGN_MODULE; errors of the service
 */
export async function isFirstPasskey(
  kit: RecoveryKit,
  account: Address,
  assertion: AssertionResponse,
): Promise<boolean> {
  const first = await verifyRecoveryKit(kit, account, fetchNetworks)
  return first.kind === 'passkey' && isSignedBy(first, assertion)
}
