import { endpoints } from '@lanyard/contracts'
import { toCalls } from '../../accounts/calls.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { checkSession } from '../../session-keys/check-session.ts'

export const check = implement(endpoints.sessionKey.check, async (input, context) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const reason = await checkSession(context, {
    wallet,
    network,
    key: input.sessionKey,
    calls: toCalls(input.transactionDetails),
    paymasterData: input.paymasterData ?? '0x',
  })
  return { allowed: reason === undefined, ...(reason && { reason }) }
})
