import type { UserOperation } from '@lanyard/accounts'
import {
  type Address,
  concat,
  type Hash,
  type Hex,
  hashTypedData,
  keccak256,
  pad,
  type TypedDataDefinition,
} from 'viem'
import { assertSize, assertUint, encodeUint } from '../bytes.ts'
import { maxDebits, maxValidity } from '../constants.ts'
import { smartBalanceDomain } from '../domain.ts'
import { SmartBalanceError } from '../errors.ts'
import type { Debit, Order, OrderSigner, UnsignedOrder } from './order.ts'

/**
 * `Operation` of Order.sol: the fixed-size fields of a user operation, with hashes in place of ERC-4337's
 * byte strings.
 */
export interface PackedOperation {
  readonly account: Address
  readonly nonce: bigint
  readonly initCodeHash: Hash
  readonly callDataHash: Hash
  /** uint128 verificationGasLimit, then uint128 callGasLimit. */
  readonly accountGasLimits: Hex
  readonly preVerificationGas: bigint
  /** uint128 maxPriorityFeePerGas, then uint128 maxFeePerGas. */
  readonly gasFees: Hex
}

/**
 * The operation in the form used in an order's hash and in a settlement. It does not include
 * `paymasterAndData`, which the order replaces.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field.
 */
export function packOperation(operation: Omit<UserOperation, 'paymasterAndData'>): PackedOperation {
  return {
    account: operation.sender,
    nonce: operation.nonce,
    initCodeHash: keccak256(operation.initCode),
    callDataHash: keccak256(operation.callData),
    accountGasLimits: concat([
      encodeUint(operation.verificationGasLimit, 128, 'verificationGasLimit'),
      encodeUint(operation.callGasLimit, 128, 'callGasLimit'),
    ]),
    preVerificationGas: operation.preVerificationGas,
    gasFees: concat([
      encodeUint(operation.maxPriorityFeePerGas, 128, 'maxPriorityFeePerGas'),
      encodeUint(operation.maxFeePerGas, 128, 'maxFeePerGas'),
    ]),
  }
}

/**
 * The signer that a SmartBalance pins: an EOA's address, left-padded, or keccak256(x ‖ y ‖ verifiers) of a
 * passkey.
 *
 * @throws SmartBalanceError OUT_OF_RANGE, MALFORMED.
 */
export function signerId(signer: OrderSigner): Hex {
  if (signer.kind === 'passkey') return keccak256(encodePasskey(signer))
  assertSize(signer.address, 20, 'signer.address')
  return pad(signer.address.toLowerCase() as Hex) // hex in lower case is still hex
}

/** x (32) ‖ y (32) ‖ verifiers (22). */
function encodePasskey({ x, y, verifiers }: Extract<OrderSigner, { kind: 'passkey' }>): Hex {
  return concat([
    encodeUint(x, 256, 'signer.x'),
    encodeUint(y, 256, 'signer.y'),
    encodeUint(verifiers, 176, 'signer.verifiers'),
  ])
}

/**
 * A signature for gas estimation: 65 bytes, low s, and r the x coordinate of a point, so that `ecrecover`
 * returns some address and costs as much as for the operator's own signature. SmartBalance returns
 * SIG_VALIDATION_FAILED for it after the rest of the validation.
 */
export const stubOperatorSignature: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/**
 * The operation's tenth field (PaymasterData.sol): after the 52 bytes of ERC-4337,
 * `0x01 | claimAmount u128 | validUntil u48 | n u8 | n × (chainId u64, amount u128, failFee u64) | signer | operatorSignature65`.
 * It does not check the protocol's bounds: see `checkOrderBounds`.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field, and for a validUntil
 * below `maxValidity`, which has no validAfter; MALFORMED for an address or a signature of another length.
 */
export function encodePaymasterAndData(order: Order): Hex {
  assertSize(order.paymaster, 20, 'paymaster')
  assertSize(order.operatorSignature, 65, 'operatorSignature')
  if (order.validUntil < maxValidity)
    throw new SmartBalanceError('OUT_OF_RANGE', 'An order must have an expiry.')
  if (order.debits.length > maxDebits)
    throw new SmartBalanceError('OUT_OF_RANGE', `An order has at most ${maxDebits} debits.`)
  return concat([
    order.paymaster,
    encodePaymasterGasLimits(order),
    '0x01',
    encodeUint(order.claimAmount, 128, 'claimAmount'),
    encodeUint(BigInt(order.validUntil), 48, 'validUntil'),
    encodeUint(BigInt(order.debits.length), 8, 'debits'),
    ...order.debits.map(encodeDebit),
    encodeSigner(order.signer),
    order.operatorSignature,
  ]).toLowerCase() as Hex // hex in lower case is still hex
}

/** uint128 verification, uint128 postOp: bytes 20 to 52 of `paymasterAndData`, and a field of the order's hash. */
function encodePaymasterGasLimits(
  order: Pick<Order, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
): Hex {
  return concat([
    encodeUint(order.paymasterVerificationGasLimit, 128, 'paymasterVerificationGasLimit'),
    encodeUint(order.paymasterPostOpGasLimit, 128, 'paymasterPostOpGasLimit'),
  ])
}

function encodeDebit({ chainId, amount, failFee }: Debit): Hex {
  return concat([
    encodeUint(BigInt(chainId), 64, 'debits.chainId'),
    encodeUint(amount, 128, 'debits.amount'),
    encodeUint(failFee, 64, 'debits.failFee'),
  ])
}

function encodeSigner(signer: OrderSigner): Hex {
  if (signer.kind === 'passkey') return concat(['0x01', encodePasskey(signer)])
  assertSize(signer.address, 20, 'signer.address')
  return concat(['0x00', signer.address])
}

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

/**
 * The order's identifier on every network, and the hash that the operator signs: `OrderLib.hash`. It does not
 * depend on a signature.
 *
 * @throws SmartBalanceError as {@link getOrderTypedData}.
 */
export function getOrderHash(parameters: OrderHashParameters): Hash {
  return hashTypedData(getOrderTypedData(parameters))
}
