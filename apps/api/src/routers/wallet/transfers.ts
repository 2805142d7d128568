import { endpoints } from '@lanyard/contracts'
import { readIncomingTransfers } from '../../accounts/incoming-transfers.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'

export const transfers = implement(endpoints.wallet.transfers, async (input, { services }) => {
  const wallet = await findWallet(services.database, input.walletAddress)
  return { networks: await readIncomingTransfers(services, wallet.address) }
})
