import { type PlanResult, planOrder } from '@lanyard/smart-balance'
import type { SmartBalanceTermsResponse } from '../generated/types.gen.ts'
import { toChainId } from '../to-chain-id.ts'
import type { SpendRequest } from './quote.ts'
import { readDecimal } from './read-decimal.ts'

export interface RecomputeQuoteParameters {
  readonly request: SpendRequest
  /** The response of `smartBalance.terms` for the output network. */
  readonly terms: Pick<
    SmartBalanceTermsResponse,
    'basisPoints' | 'operationFee' | 'settlementFees' | 'lendable' | 'deposits'
  >
}

/**
 * Computes an order's debits and price from the terms alone. `getQuote` must return the same result. Pass it
 * to `verifySolution` as `plan`.
 *
 * @returns the plan, or the reason why there is none
 * @throws BuildVerificationError naming a field of the terms that is not an amount
 */
export function recomputeQuote({ request, terms }: RecomputeQuoteParameters): PlanResult {
  const { amount, limit, type = 'AMOUNT_OUT' } = request
  const outputNetwork = toChainId(request.outputNetwork)
  return planOrder({
    outputNetwork,
    amount: BigInt(amount),
    type,
    limit: limit === undefined ? undefined : BigInt(limit),
    lendable: readDecimal(terms.lendable, 'terms.lendable'),
    terms: {
      basisPoints: terms.basisPoints,
      operationFee: readDecimal(terms.operationFee, 'terms.operationFee'),
      settlementFees: Object.fromEntries(
        Object.entries(terms.settlementFees).map(([network, fee]) => [
          network,
          readDecimal(fee, `terms.settlementFees.${network}`),
        ]),
      ),
    },
    deposits: terms.deposits.map(({ network, available }, index) => ({
      network,
      available: readDecimal(available, `terms.deposits.${index}.available`),
    })),
  })
}
