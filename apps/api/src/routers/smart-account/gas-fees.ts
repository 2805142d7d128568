import { requiredPrefund } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findAnyWallet, rulesOf, toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { estimateOperation, withPrepended } from '../../domain/operations/prepare/estimate.ts'
import { findPayerForEoa, requireOnePayer } from '../../domain/smart-balance/orders/find-payer.ts'
import { toTokenFee } from '../../domain/smart-balance/orders/token-fee.ts'
import { implement } from '../../pipeline/implement.ts'

export const gasFees = implement(endpoints.smartAccount.gasFees, async (input, context) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  await rulesOf(wallet).requireUsable(network, true)
  requireOnePayer(input)
  const calls = toCalls(input.transactionDetails)
  const payer = await findPayerForEoa(context, {
    wallet,
    network,
    paymasterData: input.paymasterData ?? '0x',
    feeToken: input.feeToken,
    calls,
  })
  const { operation } = await estimateOperation({
    wallet,
    network,
    bundler: services.operations.bundlerFor(network.chainId),
    features: services.operations.features,
    ...withPrepended({ calls, payer }),
    payer,
    allowRevert: false,
  })
  return { result: requiredPrefund(operation).toString(), ...toTokenFee(network, operation) }
})
