import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { buildForOwner } from '../../session-keys/build-for-owner.ts'
import { planGrant } from '../../session-keys/plan-grant.ts'
import { toTransactions } from '../../smart-balance/transaction-details.ts'

export const enable = implement(endpoints.sessionKey.enable, async (input, context, keepAnswer) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const { validAfter, validUntil, permissions, paymaster, paymasterData = '0x' } = input
  const { calls, description } = await planGrant({
    wallet,
    network,
    key: input.sessionKey,
    validAfter,
    validUntil,
    permissions,
    paymaster,
  })
  const plan = { transactionDetails: toTransactions(calls).transactions, description: [...description] }
  const build = await buildForOwner(context, {
    wallet,
    network,
    calls,
    paymasterData,
    whenWritten: (transaction, written) => keepAnswer(transaction, { ...plan, ...written }),
  })
  return { ...plan, ...build }
})
