import { findDeployment, passkeyOwner } from '@lanyard/client'
import type { Address } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { Network } from '../networks/use-networks.ts'

/**
 * Recomputes an account's address from the passkey that was just created. The account may have Ownership, whose address
 * follows from its code.
 *
 * @param networks - not called for an account without the module
 * @throws WalletError FOREIGN_ADDRESS; errors of `networks`
 */
export async function requireOwnAddress(
  created: Parameters<typeof passkeyOwner>[0],
  account: Address,
  networks: () => Promise<readonly Pick<Network, 'sessionKeys' | 'smartBalance'>[]>,
): Promise<void> {
  const owner = passkeyOwner(created)
  if (!owner) return
  const deployment = await findDeployment(owner, account, async () =>
    (await networks()).map(({ sessionKeys, smartBalance }) => ({
      sessionKeys,
      smartBalance: smartBalance?.address,
    })),
  )
  if (!deployment) throw new WalletError('FOREIGN_ADDRESS')
}
