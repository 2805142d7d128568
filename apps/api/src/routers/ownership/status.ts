import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { readOwnershipStatus } from '../../domain/owners/ownership/ownership-status.ts'
import { findOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { implement } from '../../pipeline/implement.ts'

export const status = implement(endpoints.ownership.status, async ({ walletAddress }, { services }) => {
  const wallet = await findWallet(services.database, walletAddress)
  return readOwnershipStatus(services, findOwnership(services.networks), wallet)
})
