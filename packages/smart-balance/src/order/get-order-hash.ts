import { type Hash, hashTypedData } from 'viem'
import { getOrderTypedData, type OrderHashParameters } from './get-order-typed-data.ts'

/**
 * The order's identifier on every network, and the hash that the operator signs: `OrderLib.hash`. It does not
 * depend on a signature.
 *
 * @throws SmartBalanceError as {@link getOrderTypedData}.
 */
export function getOrderHash(parameters: OrderHashParameters): Hash {
  return hashTypedData(getOrderTypedData(parameters))
}
