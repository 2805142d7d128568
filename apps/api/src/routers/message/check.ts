import { endpoints } from '@lanyard/contracts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { hashMessageFor } from '../../domain/messages/account-message.ts'
import { isValidSignature } from '../../domain/messages/message-signature.ts'
import { implement } from '../../pipeline/implement.ts'

export const check = implement(endpoints.message.check, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  const { messageHash } = await hashMessageFor(wallet, network, input)
  return { valid: await isValidSignature(network, wallet.address, messageHash, input.signature) }
})
