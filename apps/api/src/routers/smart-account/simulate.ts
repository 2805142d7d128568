import { endpoints } from '@lanyard/contracts'
import { findAnyWallet, rulesOf, toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { describeChanges } from '../../domain/operations/prepare/describe-changes.ts'
import { implement } from '../../pipeline/implement.ts'

export const simulate = implement(endpoints.smartAccount.simulate, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  await rulesOf(wallet).requireUsable(network, true)
  const { features } = services.operations
  return describeChanges({ wallet, network, features, calls: toCalls(input.transactionDetails) })
})
