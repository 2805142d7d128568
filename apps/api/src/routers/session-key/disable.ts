import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../domain/accounts/callers/caller.ts'
import { buildForOwner } from '../../domain/session-keys/build-for-owner.ts'
import { planRevocation } from '../../domain/session-keys/plan-revocation.ts'
import { toTransactions } from '../../domain/smart-balance/ledger/plan-deposit.ts'
import { findPayerForEoa } from '../../domain/smart-balance/orders/find-payer.ts'
import { implement } from '../../pipeline/implement.ts'

export const disable = implement(endpoints.sessionKey.disable, async (input, context, keepAnswer) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const { paymasterData = '0x' } = input
  const calls = await planRevocation({ wallet, network, key: input.sessionKey })
  const plan = { transactionDetails: toTransactions(calls).transactions }
  const build = await buildForOwner(services.operations, {
    wallet,
    network,
    calls,
    builtBy: await builderOf(context, wallet),
    findPayer: () => findPayerForEoa(context, { wallet, network, paymasterData, calls }),
    onPersisted: keepAnswer && ((transaction, written) => keepAnswer(transaction, { ...plan, ...written })),
  })
  return { ...plan, ...build }
})
