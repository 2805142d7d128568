import { maxFlatFee } from '../constants.ts'
import { type Debit, highestDebits } from '../order/order.ts'
import type { OrderPlan, PlanInput, PlannedDebit, PlanProblem, PlanResult } from './plan.ts'
import {
  amountWithin,
  everything,
  type Funds,
  feeOf,
  fundsOf,
  largestAmount,
  largestTotal,
  totalOf,
} from './price.ts'

/**
 * Takes `amount + fee` from the deposits: first from the deposit on the output network, for the amount and
 * then for the fee; then from the others, largest first. The deposits must suffice.
 */
function draw(amount: bigint, fee: bigint, funds: Funds, operationFee: bigint): OrderPlan {
  const withdrawn = least(funds.own, amount)
  const ownFee = least(funds.own - withdrawn, fee)
  return {
    amount,
    fee,
    total: amount + fee,
    withdrawal: { amount: withdrawn, fee: ownFee },
    claimAmount: amount - withdrawn,
    debits: withFailFees(takeFromSources(amount + fee - withdrawn - ownFee, funds), operationFee),
  }
}

function takeFromSources(total: bigint, { sources, dust }: Funds): Omit<PlannedDebit, 'failFee'>[] {
  const debits: Omit<PlannedDebit, 'failFee'>[] = []
  let missing = total
  for (const { network, available } of [...sources, ...dust]) {
    if (missing === 0n) break
    const amount = least(available, missing)
    debits.push({ network, amount })
    missing -= amount
  }
  return debits.toSorted((a, b) => a.network - b.network)
}

/** A failed operation costs its gas: the debits cover that amount one after the other, up to their limits. */
function withFailFees(
  debits: readonly Omit<PlannedDebit, 'failFee'>[],
  operationFee: bigint,
): PlannedDebit[] {
  let missing = least(operationFee, maxFlatFee)
  return debits.map((debit) => {
    const failFee = least(debit.amount, missing)
    missing -= failFee
    return { ...debit, failFee }
  })
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Converts a plan's debits to an order's. */
export function toDebits(planned: readonly PlannedDebit[]): Debit[] {
  return planned.map(({ network, amount, failFee }) => ({ chainId: network, amount, failFee }))
}

/**
 * The deposits that an order takes from, and its cost. It is a pure function of data that the service
 * publishes, so that a client can recompute a quote.
 *
 * AMOUNT_OUT: `amount` arrives. AMOUNT_IN: exactly `amount` is debited, and the largest amount that this pays
 * for arrives. The remainder goes to the fee. It is one unit from rounding. It is more only if the next unit
 * would need another network whose settlement the remainder cannot pay, or if deposits are debited that are
 * worth less than their settlement.
 *
 * @throws SmartBalanceError DUPLICATE if a network occurs twice among the deposits.
 */
export function planOrder(input: PlanInput): PlanResult {
  const funds = fundsOf(input)
  const priced = input.type === 'AMOUNT_OUT' ? priceAmountOut(input, funds) : priceAmountIn(input, funds)
  if ('problem' in priced) return { ok: false, ...priced }
  const plan = draw(priced.amount, priced.fee, funds, input.terms.operationFee)
  const problem = liquidityProblem(plan, input, funds) ?? feeProblem(plan) ?? limitProblem(plan, input)
  return problem ? { ok: false, ...problem } : { ok: true, plan }
}

type Priced = { readonly amount: bigint; readonly fee: bigint } | PlanProblem

function priceAmountOut({ amount, lendable, terms }: PlanInput, funds: Funds): Priced {
  if (amount <= 0n) return { problem: 'TOO_SMALL', smallest: 1n }
  const fee = feeOf(amount, funds, terms)
  if (fee === undefined)
    return { problem: 'INSUFFICIENT_FUNDS', largest: largestAmount(funds, positive(lendable), terms) }
  return { amount, fee }
}

function priceAmountIn({ amount: total, lendable, terms }: PlanInput, funds: Funds): Priced {
  if (total > everything(funds))
    return { problem: 'INSUFFICIENT_FUNDS', largest: largestTotal(funds, positive(lendable), terms) }
  const amount = amountWithin(total, funds, terms)
  if (amount > 0n) return { amount, fee: total - amount }
  const smallest = totalOf(1n, funds, terms)
  if (smallest === undefined && total > 0n) return { problem: 'INSUFFICIENT_FUNDS', largest: 0n }
  return { problem: 'TOO_SMALL', smallest: smallest ?? 1n }
}

function liquidityProblem(plan: OrderPlan, input: PlanInput, funds: Funds): PlanProblem | undefined {
  const lendable = positive(input.lendable)
  if (plan.claimAmount <= lendable) return undefined
  const largest = input.type === 'AMOUNT_OUT' ? largestAmount : largestTotal
  return { problem: 'INSUFFICIENT_LIQUIDITY', lendable, largest: largest(funds, lendable, input.terms) }
}

/** Checks OrderLib.checkBounds. */
function feeProblem({ fee, claimAmount, debits: planned }: OrderPlan): PlanProblem | undefined {
  const debits = planned.reduce((sum, { amount }) => sum + amount, 0n)
  const highest = highestDebits(claimAmount)
  return debits > highest ? { problem: 'FEE_TOO_HIGH', fee, debits, highest } : undefined
}

function limitProblem({ amount, total }: OrderPlan, { type, limit }: PlanInput): PlanProblem | undefined {
  if (limit === undefined) return undefined
  if (type === 'AMOUNT_OUT') return total > limit ? { problem: 'LIMIT', passes: total } : undefined
  return amount < limit ? { problem: 'LIMIT', passes: amount } : undefined
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
