import type { AccountOwner } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'

/** Who signs for the account: the owner's key itself, since SmartBalance checks it without asking the Safe. */
export type OrderSigner = AccountOwner

/** What one source network repays. */
export interface Debit {
  readonly chainId: number
  /** Due when the order was claimed, in 6-decimals units. uint128. */
  readonly amount: bigint
  /** Due when the operation failed, at most `amount`. uint64. */
  readonly failFee: bigint
}

/** What the operator signs besides the operation. It is the whole of the operation's `paymasterAndData`. */
export interface Order {
  /** The SmartBalance, at one address on all networks. */
  readonly paymaster: Address
  readonly paymasterVerificationGasLimit: bigint
  /** At least `minimumPostOpGas`, unless the order is a sponsorship. */
  readonly paymasterPostOpGasLimit: bigint
  /** The lent amount, in 6-decimals units. uint128. */
  readonly claimAmount: bigint
  /** Unix seconds, not 0; the last second in which the operation may be included. */
  readonly validUntil: number
  /** Ascending by chain id, each once, none of the output network. */
  readonly debits: readonly Debit[]
  readonly signer: OrderSigner
  /** 65 bytes: r ‖ s ‖ v over the order's hash. */
  readonly operatorSignature: Hex
}

/** An order that the operator has yet to sign. */
export type UnsignedOrder = Omit<Order, 'operatorSignature'>
