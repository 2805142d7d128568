import type { AccountOwner } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'

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
