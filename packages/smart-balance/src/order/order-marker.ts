import { type Address, concat, getAddress, type Hex, size, slice, zeroHash } from 'viem'
import { assertSize } from '../bytes.ts'

/** What a caller sends back to build a reserved order, before the operator has signed anything. */
export interface OrderMarker {
  readonly smartBalance: Address
  /** 32 random bytes. */
  readonly orderId: Hex
}

/**
 * `signatures.paymaster` of a solution: SmartBalance ‖ 32 zero bytes (no gas limits) ‖ 0x00 (not a version of
 * an order) ‖ orderId. No paymaster accepts these bytes, so nobody signs them by mistake.
 *
 * @throws SmartBalanceError MALFORMED for an address or an order id of another length.
 */
export function encodeOrderMarker(smartBalance: Address, orderId: Hex): Hex {
  assertSize(smartBalance, 20, 'smartBalance')
  assertSize(orderId, 32, 'orderId')
  return concat([smartBalance, zeroHash, '0x00', orderId]).toLowerCase() as Hex // hex in lower case is still hex
}

/**
 * The inverse of {@link encodeOrderMarker}.
 *
 * @returns undefined for anything else, which is then the caller's own `paymasterAndData`.
 */
export function decodeOrderMarker(paymasterData: string): OrderMarker | undefined {
  if (!isHexBytes(paymasterData) || size(paymasterData) !== 20 + 32 + 1 + 32) return undefined
  if (slice(paymasterData, 20, 53) !== `${zeroHash}00`) return undefined
  return {
    smartBalance: getAddress(slice(paymasterData, 0, 20)),
    orderId: slice(paymasterData, 53).toLowerCase() as Hex, // hex in lower case is still hex
  }
}

function isHexBytes(value: string): value is Hex {
  return /^0x([0-9a-fA-F]{2})*$/.test(value)
}
