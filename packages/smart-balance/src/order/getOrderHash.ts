import { type Hash, hashTypedData } from 'viem'
import { getOrderTypedData, type OrderHashParameters } from './getOrderTypedData.ts'

/**
 * The order's identity on every network, and what the operator signs: `OrderLib.hash`. It contains no signature.
 *
 * @throws SmartBalanceError as {@link getOrderTypedData}.
 */
export function getOrderHash(parameters: OrderHashParameters): Hash {
  return hashTypedData(getOrderTypedData(parameters))
}
