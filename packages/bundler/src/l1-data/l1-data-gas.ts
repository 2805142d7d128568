import type { SignedUserOperation } from '@lanyard/accounts'
import { type Fees, l1FeeAt, type Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** EntryPoint makes an operation pay as much per gas, in a block of this base fee. */
const priceOf = (
  { maxFeePerGas, maxPriorityFeePerGas }: SignedUserOperation,
  { baseFeePerGas }: Fees,
): bigint => lesser(maxFeePerGas, baseFeePerGas + maxPriorityFeePerGas)

/** Units of gas that an operation brings for what its bundle pays besides gas, if that uses so much gas. */
export type L1DataGas = (bundleGas: bigint) => bigint

/**
 * What makes an operation pay for the L1 data, and the operator's fee, of a bundle of its own, at present fees. 0,
 * without a request, where the network charges nothing for it.
 *
 * The requests leave at once, with whatever else is asked now: the operator's fee depends on gas that may not be
 * estimated yet.
 *
 * @throws NETWORK_UNAVAILABLE; NETWORK_FAILED also, then or by what it returns, when the network names a fee above the
 * configured maximum
 */
export async function l1DataGas(
  network: Network,
  entryPoint: Address,
  operation: SignedUserOperation,
): Promise<L1DataGas> {
  if (!network.config.l1Fee) return () => 0n
  const data = encodeHandleOps([operation], operation.sender)
  const [fee, fees] = await Promise.all([network.l1Fee({ to: entryPoint, data }), network.fees()])
  // Charged as gas of the transaction: the operation has to bring that gas, whatever it pays for it.
  if (fee.gas > 0n) return () => fee.gas
  const price = priceOf(operation, fees)
  return (bundleGas) => {
    const wei = l1FeeAt(network.config, fee, bundleGas)
    return price === 0n ? 0n : (wei + price - 1n) / price
  }
}

/**
 * What is estimated, so that the operation still pays when it is sent: L1's price of data may rise by an eighth with
 * each of its blocks, and the base fee by which the fee was divided may fall.
 */
export const withL1DataMargin = (gas: bigint): bigint => gas + gas / 2n
