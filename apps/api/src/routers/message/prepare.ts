import { safeMessageTypedData } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import type { Address, Hash } from 'viem'
import { isContractAccount } from '../../domain/accounts/accounts/wallet.ts'
import { describeOwners } from '../../domain/accounts/owners/describe-owners.ts'
import { findAnyOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
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
  const { wallet, credentials } = await findAnyOwnedWallet(services.database, input.walletAddress, input.type)
  const hashes = await hashMessageFor(wallet, network, input)
  const { deployed, owners } = await readOwners(network, wallet)
  const described = await describeOwners(network, wallet, owners, credentials)
  return {
    ...hashes,
    ...(isContractAccount(wallet) && {
      typedData: toTypedData(network.chainId, wallet.address, hashes.messageHash),
    }),
    deployed,
    owners: described.map(({ address: owner, kind }) => ({ address: owner, kind })),
  }
})

function toTypedData(chainId: number, account: Address, messageHash: Hash) {
  const { types, primaryType, message } = safeMessageTypedData(messageHash, { chainId, account })
  return {
    domain: { chainId, verifyingContract: account },
    types: { EIP712Domain: domainType, SafeMessage: [...types.SafeMessage] },
    primaryType,
    message,
  }
}
