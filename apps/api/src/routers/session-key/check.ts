import { endpoints } from '@lanyard/contracts'
import { toCalls } from '../../domain/accounts/accounts/calls.ts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { checkSession } from '../../domain/session-keys/check-session.ts'
import { implement } from '../../pipeline/implement.ts'

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
