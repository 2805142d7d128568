import type { AccountOwner } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'
import { maxFlatFee } from '../constants.ts'
import { type Failure, failure } from '../result.ts'

/**
 * The signer of the account: the owner's key itself, because SmartBalance checks it without calling the Safe.
 */
export type OrderSigner = AccountOwner

/** The repayment of one source network. */
export interface Debit {
  readonly chainId: number
  /** Due if the order was claimed, in 6-decimal units. uint128. */
  readonly amount: bigint
  /** Due if the operation failed, at most `amount`. uint64. */
  readonly failFee: bigint
}

/** What the operator signs in addition to the operation. It is the operation's entire `paymasterAndData`. */
export interface Order {
  /** The SmartBalance, which has the same address on all networks. */
  readonly paymaster: Address
  readonly paymasterVerificationGasLimit: bigint
  /** At least `minimumPostOpGas`, unless the order is a sponsorship. */
  readonly paymasterPostOpGasLimit: bigint
  /** The lent amount, in 6-decimal units. uint128. */
  readonly claimAmount: bigint
  /** Unix seconds, not 0; the last second in which the operation may be included. */
  readonly validUntil: number
  /** Ascending by chain id, each network once, without the output network. */
  readonly debits: readonly Debit[]
  readonly signer: OrderSigner
  /** 65 bytes: r ‖ s ‖ v over the order's hash. */
  readonly operatorSignature: Hex
}

/** An order that the operator has not signed yet. */
export type UnsignedOrder = Omit<Order, 'operatorSignature'>

/** Nothing is lent and nothing is owed: SmartBalance only pays the gas, and there is nothing to `claim`. */
export function isSponsorship({
  claimAmount,
  debits,
}: {
  readonly claimAmount: bigint
  readonly debits: readonly unknown[]
}): boolean {
  return claimAmount === 0n && debits.length === 0
}

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
