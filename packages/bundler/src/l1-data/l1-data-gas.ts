import type { SignedUserOperation } from '@lanyard/accounts'
import { type Fees, l1FeeAt, type Network } from '@lanyard/networks'
import { entryPointOf } from '../entry-point/entry-point-of.ts'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** The gas price that EntryPoint makes an operation pay in a block with this base fee. */
const priceOf = (
  { maxFeePerGas, maxPriorityFeePerGas }: SignedUserOperation,
  { baseFeePerGas }: Fees,
): bigint => lesser(maxFeePerGas, baseFeePerGas + maxPriorityFeePerGas)

/** Units of gas that an operation must provide for charges other than gas, if its bundle uses `bundleGas`. */
export type L1DataGas = (bundleGas: bigint) => bigint

/**
 * The gas that makes an operation pay for the L1 data and the operator fee of its own bundle at current fees.
 * It is 0, without a request, if the network charges nothing for them.
 *
 * The requests are sent immediately, together with other concurrent requests. The result is a function,
 * because the operator fee depends on gas that may not be estimated yet.
 *
 * @throws NETWORK_UNAVAILABLE; NETWORK_FAILED if the network names a fee above the configured maximum. The
 * returned function also throws NETWORK_FAILED.
 */
export async function l1DataGas(network: Network, operation: SignedUserOperation): Promise<L1DataGas> {
  if (!network.config.l1Fee) return () => 0n
  const data = encodeHandleOps([operation], operation.sender)
  const [fee, fees] = await Promise.all([
    network.l1Fee({ to: entryPointOf(network, operation), data }),
    network.fees(),
  ])
  // Charged as gas of the transaction: the operation must provide that gas at any price.
  if (fee.gas > 0n) return () => fee.gas
  const price = priceOf(operation, fees)
  return (bundleGas) => {
    const wei = l1FeeAt(network.config, fee, bundleGas)
    return price === 0n ? 0n : (wei + price - 1n) / price
  }
}

/**
 * The estimate with a margin, so that the operation still pays when it is sent. L1's price of data may rise
 * by an eighth with each L1 block, and the base fee by which the fee was divided may fall.
 */
export const withL1DataMargin = (gas: bigint): bigint => gas + gas / 2n
