import { requiredPrefund } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { toCalls } from '../../accounts/calls.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { estimateOperation } from '../../operations/estimate.ts'

export const gasFees = implement(endpoints.smartAccount.gasFees, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const { operation } = await estimateOperation({
    wallet,
    network,
    bundler: services.operations.bundlerFor(network.chainId),
    calls: toCalls(input.transactionDetails),
    paymasterAndData: '0x',
    allowRevert: false,
  })
  return { result: requiredPrefund(operation).toString() }
})
