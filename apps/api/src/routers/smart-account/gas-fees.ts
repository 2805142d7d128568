import { requiredPrefund } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findAnyWallet, rulesOf, toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { estimateOperation } from '../../domain/operations/prepare/estimate.ts'
import { findPayerForEoa } from '../../domain/smart-balance/orders/find-payer.ts'
import { implement } from '../../pipeline/implement.ts'

export const gasFees = implement(endpoints.smartAccount.gasFees, async (input, context) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  await rulesOf(wallet).requireUsable(network, true)
  const calls = toCalls(input.transactionDetails)
  const payer = await findPayerForEoa(context, {
    wallet,
    network,
    paymasterData: input.paymasterData ?? '0x',
    calls,
  })
  const { operation } = await estimateOperation({
    wallet,
    network,
    bundler: services.operations.bundlerFor(network.chainId),
    features: services.operations.features,
    calls,
    payer,
    allowRevert: false,
  })
  return { result: requiredPrefund(operation).toString() }
})
