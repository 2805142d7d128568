import { maxFlatFee } from '../constants.ts'
import { type Failure, failure } from '../result.ts'
import type { Order } from './order.ts'

export type CheckOrderBoundsResult =
  | { readonly ok: true }
  | Failure<'DEBITS_NOT_ASCENDING' | 'FAIL_FEE_ABOVE_AMOUNT' | 'DEBITS_TOO_HIGH' | 'FAIL_FEES_TOO_HIGH'>

/** Whether SmartBalance accepts an order with these amounts: `OrderLib.checkBounds`, in the same order. */
export function checkOrderBounds({
  claimAmount,
  debits,
}: Pick<Order, 'claimAmount' | 'debits'>): CheckOrderBoundsResult {
  let amounts = 0n
  let failFees = 0n
  let previous = 0
  for (const { chainId, amount, failFee } of debits) {
    if (chainId <= previous)
      return failure('DEBITS_NOT_ASCENDING', 'The debits are not in ascending order of chain id.')
    if (failFee > amount)
      return failure('FAIL_FEE_ABOVE_AMOUNT', `The failFee on ${chainId} exceeds the debit.`)
    previous = chainId
    amounts += amount
    failFees += failFee
  }
  const highest = highestDebits(claimAmount)
  if (amounts > highest)
    return failure(
      'DEBITS_TOO_HIGH',
      `The debits are ${amounts}, but at most ${highest} is allowed for this claim.`,
    )
  if (failFees > maxFlatFee)
    return failure(
      'FAIL_FEES_TOO_HIGH',
      `The failFees are ${failFees}, but at most ${maxFlatFee} is allowed.`,
    )
  return { ok: true }
}

/** The maximum sum of an order's debits: claimAmount × 1.01 + MAX_FLAT_FEE, rounded down. */
export function highestDebits(claimAmount: bigint): bigint {
  return claimAmount + claimAmount / 100n + maxFlatFee
}
