import { safeMessageTypedData } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { describeOwners } from '../../domain/accounts/owners/describe-owners.ts'
import { findOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { hashMessageFor } from '../../domain/messages/account-message.ts'
import { implement } from '../../pipeline/implement.ts'

/** Wallets expect the domain's type beside the others (`eth_signTypedData_v4`). */
const domainType = [
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

export const prepare = implement(endpoints.message.prepare, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const { wallet, credentials } = await findOwnedWallet(services.database, input.walletAddress)
  const { address } = wallet
  const hashes = await hashMessageFor(wallet, network, input)
  const { deployed, owners } = await readOwners(network, wallet)
  const described = await describeOwners(network, wallet, owners, credentials)
  const { types, primaryType, message } = safeMessageTypedData(hashes.messageHash, {
    chainId: network.chainId,
    account: address,
  })
  return {
    ...hashes,
    typedData: {
      domain: { chainId: network.chainId, verifyingContract: address },
      types: { EIP712Domain: domainType, SafeMessage: [...types.SafeMessage] },
      primaryType,
      message,
    },
    deployed,
    owners: described.map(({ address: owner, kind }) => ({ address: owner, kind })),
  }
})
