import { maxFlatFee } from '../constants.ts'
import type { Funds } from './funds.ts'
import type { OrderPlan, PlannedDebit } from './plan.ts'

/**
 * Takes `amount + fee` from the deposits: first from the deposit on the output network, for the amount and
 * then for the fee; then from the others, largest first. The deposits must suffice.
 */
export function draw(amount: bigint, fee: bigint, funds: Funds, operationFee: bigint): OrderPlan {
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
