import { requiredPrefund } from '@lanyard/accounts'
import type { OrderSigner } from '@lanyard/smart-balance'
import type { AllowingPolicy } from '../../gas-policies/gas-policy.ts'
import type { PolicyBudget } from '../../gas-policies/policy-budget.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { requireFairFees } from '../../gas-policies/require-fair-fees.ts'
import type { BuildTarget, Payer } from '../../operations/build-request.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import { operatorOf } from '../model/operator.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { draftOrder, draftOrderWithGas, type OrderTerms, signOrder, withDraftGas } from './order-bytes.ts'
import { readChainValidity, requireGasDeposit, shareOfBase } from './paymaster-terms.ts'

interface SponsorRequest extends Pick<BuildTarget, 'network'> {
  /** Any owner: SmartBalance does not check who signs a sponsorship. */
  readonly signer: OrderSigner
  /** The budget of the policy that pays. */
  readonly budget: PolicyBudget
  readonly policy: Pick<AllowingPolicy, 'anyBundler'>
}

/**
 * SmartBalance pays for the gas through an order without debits and without a claim. The maximum cost is
 * taken from the policy's budgets in the transaction that writes the operation.
 *
 * @throws PAYMASTER_REFUSED with the reason, NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function sponsor(
  services: SmartBalanceServices,
  { network, signer, budget, policy }: SponsorRequest,
): Promise<Payer> {
  const { chainId } = network
  const { address: smartBalance } = getSmartBalance(network)
  const [chain, deposit, fees] = await Promise.all([
    readChainValidity(network),
    readDeposit(network, network.config.entryPoint, smartBalance),
    network.fees(),
  ])
  const terms: OrderTerms = {
    paymaster: smartBalance,
    claimAmount: 0n,
    validUntil: chain.latest,
    debits: [],
    signer,
  }
  return {
    filledByService: true,
    maySponsorReverts: false,
    mustBeSteady: true,
    anyBundler: policy.anyBundler,
    offersMinTip: budget.offersMinTip,
    validUntil: chain.latest,
    preVerificationShortfall: shareOfBase(network, budget),
    draft: draftOrder(terms),
    withGas: (estimate) => draftOrderWithGas(terms, estimate),
    consent: async (transaction, operation) => {
      requireFairFees(network, fees, operation, budget)
      await budget.require(transaction, operation)
      requireGasDeposit(network, { deposit, required: requiredPrefund(operation) }, services.log)
      const unsigned = withDraftGas(terms, operation.paymasterAndData)
      const operator = operatorOf(services, network)
      return {
        validUntil: chain.latest,
        paymasterAndData: async () => {
          await services.checkpoint('order:agreed')
          const paymasterAndData = await signOrder(operator, unsigned, { operation, chainId })
          await services.checkpoint('order:signed')
          return paymasterAndData
        },
      }
    },
    confirm: async () => {},
    record: (transaction, built) =>
      budget.promise(transaction, built, { validUntil: chain.latest, builtAtBlock: chain.block }),
  }
}
