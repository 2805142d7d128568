import { concat, type Hex } from 'viem'
import { assertSize, encodeUint } from '../bytes.ts'
import { maxDebits, maxValidity } from '../constants.ts'
import { SmartBalanceError } from '../errors.ts'
import type { Debit, Order, OrderSigner } from './order.ts'
import { encodePasskey } from './signer-id.ts'

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
export function encodePaymasterGasLimits(
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
