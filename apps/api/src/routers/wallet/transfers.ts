import { endpoints } from '@lanyard/contracts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { readIncomingTransfers } from '../../domain/ledger/incoming-transfers.ts'
import { implement } from '../../pipeline/implement.ts'

export const transfers = implement(endpoints.wallet.transfers, async (input, { services }) => {
  const wallet = await findAnyWallet(services.database, input)
  return { networks: await readIncomingTransfers(services, wallet.address) }
})
