import { endpoints } from '@lanyard/contracts'
import { findReader } from '../../domain/accounts/callers/caller.ts'
import { inspectOwners } from '../../domain/accounts/owners/describe-owners.ts'
import { findOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { onEachNetwork, readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { readParts } from '../../domain/accounts/owners/read-parts.ts'
import { implement } from '../../pipeline/implement.ts'

export const list = implement(endpoints.owner.list, async ({ walletAddress, parts }, context) => {
  const { database, networks } = context.services
  const { wallet, userId, credentials } = await findOwnedWallet(database, walletAddress)
  // The owners of an account are public, but not which of the user's passkeys they are.
  const isUser = (await findReader(context)) === userId
  return {
    networks: await onEachNetwork(networks, async (network) => {
      const [{ deployed, owners }, asked] = await Promise.all([
        readOwners(network, wallet),
        parts ? readParts(network, wallet) : undefined,
      ])
      const described = await inspectOwners(network, wallet, owners, credentials)
      return {
        network: network.chainId,
        status: 'up' as const,
        deployed,
        ...(asked && { parts: asked }),
        owners: described.map(({ address, kind, credential }) => ({
          address,
          kind,
          ...(isUser && credential && { credentialId: credential.id, label: credential.label }),
        })),
      }
    }),
  }
})
