import { endpoints } from '@lanyard/contracts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { readOwners, readOwnersAnywhere } from '../../domain/accounts/owners/read-owners.ts'
import { hashMessageFor } from '../../domain/messages/account-message.ts'
import { recoverMessageOwner, toAccountSignature } from '../../domain/messages/message-signature.ts'
import { implement } from '../../pipeline/implement.ts'

export const finish = implement(endpoints.message.finish, async (input, { services }) => {
  const { networks, database, operations } = services
  const network = networks.get(input.network)
  const wallet = await findAnyWallet(database, input)
  const hashes = await hashMessageFor(wallet, network, input)
  const { deployed, owners } = await readOwners(network, wallet)
  const { owner, signature } = await recoverMessageOwner(
    operations.features,
    { wallet, database, ownersOn: async () => owners },
    {
      ...hashes,
      network: network.chainId,
      signature: input.signature,
      ownersAnywhere: () => readOwnersAnywhere(networks, wallet),
    },
  )
  return toAccountSignature(network, wallet, { messageHash: hashes.messageHash, owner, signature, deployed })
})
