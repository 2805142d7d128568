import type { UserOperation } from '@lanyard/accounts'
import type { TypedDataDefinition } from 'viem'
import { assertUint } from '../bytes.ts'
import { smartBalanceDomain } from '../domain.ts'
import { encodePaymasterGasLimits } from './encode-paymaster-and-data.ts'
import type { UnsignedOrder } from './order.ts'
import { packOperation } from './pack-operation.ts'
import { signerId } from './signer-id.ts'

/** ORDER_TYPEHASH and DEBIT_TYPEHASH of Order.sol. */
const orderTypes = {
  Order: [
    { name: 'account', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCodeHash', type: 'bytes32' },
    { name: 'callDataHash', type: 'bytes32' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterGasLimits', type: 'bytes32' },
    { name: 'claimAmount', type: 'uint128' },
    { name: 'validUntil', type: 'uint48' },
    { name: 'debits', type: 'Debit[]' },
    { name: 'signer', type: 'bytes32' },
  ],
  Debit: [
    { name: 'chainId', type: 'uint64' },
    { name: 'amount', type: 'uint128' },
    { name: 'failFee', type: 'uint64' },
  ],
} as const

export interface OrderHashParameters {
  readonly order: UnsignedOrder
  /** Without `paymasterAndData`, which the order replaces. */
  readonly operation: Omit<UserOperation, 'paymasterAndData'>
  /** The output network's chain id. */
  readonly chainId: number
}

/**
 * The EIP-712 message that the operator signs: every field of the operation and of the order.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field.
 */
export function getOrderTypedData({
  order,
  operation,
  chainId,
}: OrderHashParameters): TypedDataDefinition<typeof orderTypes, 'Order'> {
  assertUint(operation.nonce, 256, 'nonce')
  assertUint(operation.preVerificationGas, 256, 'preVerificationGas')
  assertUint(order.claimAmount, 128, 'claimAmount')
  assertUint(BigInt(order.validUntil), 48, 'validUntil')
  for (const { amount, failFee } of order.debits) {
    assertUint(amount, 128, 'debits.amount')
    assertUint(failFee, 64, 'debits.failFee')
  }
  return {
    domain: smartBalanceDomain(chainId, order.paymaster),
    types: orderTypes,
    primaryType: 'Order',
    message: {
      ...packOperation(operation),
      paymasterGasLimits: encodePaymasterGasLimits(order),
      claimAmount: order.claimAmount,
      validUntil: order.validUntil,
      debits: order.debits.map((debit) => ({ ...debit, chainId: BigInt(debit.chainId) })),
      signer: signerId(order.signer),
    },
  }
}
