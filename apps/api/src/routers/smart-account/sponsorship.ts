import { requiredPrefund } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findAnyWallet, rulesOf, toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { keyNameOf } from '../../domain/accounts/api-keys/api-key.ts'
import { budgetCallerOf } from '../../domain/accounts/callers/caller.ts'
import { requireOrderAuthority } from '../../domain/accounts/callers/require-order-authority.ts'
import { describeChoice } from '../../domain/gas-policies/describe-choice.ts'
import { policyBudget } from '../../domain/gas-policies/policy-budget.ts'
import { evaluateSponsorship } from '../../domain/gas-policies/require-policy.ts'
import { estimateOperation } from '../../domain/operations/prepare/estimate.ts'
import { findPayer } from '../../domain/smart-balance/orders/find-payer.ts'
import { implement } from '../../pipeline/implement.ts'

export const sponsorship = implement(endpoints.smartAccount.sponsorship, async (input, context) => {
  const { services } = context
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  await rulesOf(wallet).requireUsable(network, true)
  await requireOrderAuthority(context, wallet)
  const calls = toCalls(input.transactionDetails)
  const policies = context.project.policies.list
  const request = { policies, network, address: wallet.address, caller: keyNameOf(context), calls }
  const builder = budgetCallerOf(context, wallet.address)
  const choice = await evaluateSponsorship(services, { ...request, chainId: network.chainId })
  const { paying, denying } = choice
  if (!paying) {
    return {
      sponsored: false,
      ...(denying && { policy: denying.id }),
      reason: denying ? `The policy ${denying.id} denies the operation.` : 'No policy matches.',
      policies: [...describeChoice(choice)],
    }
  }
  const { payer } = await findPayer(context, {
    wallet,
    network,
    paymasterData: 'sponsored',
    calls,
    signers: async () => [{ key: wallet.owner }], // SmartBalance does not check who signs a sponsorship
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
  // The metrics do not count a dry run, because it rejects no request.
  const uncounted = { ...services, metrics: { countPolicyRefusal: () => {} } }
  const rejection = await services.database
    .transaction()
    .execute((transaction) =>
      policyBudget(uncounted, paying, { ...request, builder }).require(transaction, operation),
    )
    .then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof LanyardError && error.code === 'PAYMASTER_REFUSED') return error.message
        throw error
      },
    )
  return {
    sponsored: rejection === undefined,
    policy: paying.id,
    ...(rejection !== undefined && { reason: rejection }),
    cost: requiredPrefund(operation).toString(),
    policies: [...describeChoice(choice, rejection)],
  }
})
