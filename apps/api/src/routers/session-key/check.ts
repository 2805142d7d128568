import { endpoints } from '@lanyard/contracts'
import { findWallet, toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { checkSession } from '../../domain/session-keys/check-session.ts'
import { findPayerForSession } from '../../domain/smart-balance/orders/find-payer.ts'
import { implement } from '../../pipeline/implement.ts'

export const check = implement(endpoints.sessionKey.check, async (input, context) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const { paymasterData = '0x' } = input
  const calls = toCalls(input.transactionDetails)
  const reason = await checkSession(services.operations, {
    wallet,
    network,
    key: input.sessionKey,
    calls,
    findPayer: (callData) =>
      findPayerForSession(context, { wallet, network, paymasterData, calls, callData }),
  })
  return { allowed: reason === undefined, ...(reason && { reason }) }
})
