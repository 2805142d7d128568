import { type Address, type Hash, type Hex, hashTypedData, type TypedDataDefinition } from 'viem'
import { assertSize, assertUint } from './bytes.ts'
import { smartBalanceDomain } from './domain.ts'

/** An immediate withdrawal from the account's own deposit, which the operator co-signs. */
export interface Withdrawal {
  readonly to: Address
  /** The amount paid out, in 6-decimal units. uint128. */
  readonly amount: bigint
  /** The operator's fee, in 6-decimal units. uint128. */
  readonly fee: bigint
  /** 32 bytes that make otherwise equal withdrawals differ. */
  readonly salt: Hex
  /** Unix seconds: the last second in which it may be used. */
  readonly deadline: number
}

/** WITHDRAW_TYPEHASH of Withdrawals.sol. */
const withdrawTypes = {
  Withdraw: [
    { name: 'account', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint128' },
    { name: 'fee', type: 'uint128' },
    { name: 'salt', type: 'bytes32' },
    { name: 'deadline', type: 'uint48' },
  ],
} as const

export interface WithdrawalHashParameters extends Withdrawal {
  /** The depositor, who calls `withdraw`. */
  readonly account: Address
  /** The network of the withdrawal. */
  readonly chainId: number
  readonly smartBalance: Address
}

/**
 * The EIP-712 message that the operator co-signs.
 *
 * @throws SmartBalanceError OUT_OF_RANGE, MALFORMED.
 */
export function getWithdrawalTypedData({
  chainId,
  smartBalance,
  account,
  to,
  amount,
  fee,
  salt,
  deadline,
}: WithdrawalHashParameters): TypedDataDefinition<typeof withdrawTypes, 'Withdraw'> {
  assertUint(amount, 128, 'amount')
  assertUint(fee, 128, 'fee')
  assertUint(BigInt(deadline), 48, 'deadline')
  assertSize(salt, 32, 'salt')
  return {
    domain: smartBalanceDomain(chainId, smartBalance),
    types: withdrawTypes,
    primaryType: 'Withdraw',
    message: { account, to, amount, fee, salt, deadline },
  }
}

/**
 * The digest that the operator co-signs, and the key of `usedWithdrawal`.
 *
 * @throws SmartBalanceError as {@link getWithdrawalTypedData}.
 */
export function getWithdrawalHash(parameters: WithdrawalHashParameters): Hash {
  return hashTypedData(getWithdrawalTypedData(parameters))
}
