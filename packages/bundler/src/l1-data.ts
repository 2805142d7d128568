import type { SignedUserOperation } from '@lanyard/accounts'
import { type Fees, l1FeeAt, type Network } from '@lanyard/networks'
import { type Address, concat, type Hex, keccak256, numberToHex, size, slice } from 'viem'
import { encodeHandleOps, entryPointOf } from './entry-point/entry-point.ts'

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** The gas price that EntryPoint makes an operation pay in a block with this base fee. */
const priceOf = (
  { maxFeePerGas, maxPriorityFeePerGas }: SignedUserOperation,
  { baseFeePerGas }: Fees,
): bigint => lesser(maxFeePerGas, baseFeePerGas + maxPriorityFeePerGas)

/** Units of gas that an operation must provide for charges other than gas, if its bundle uses `bundleGas`. */
type L1DataGas = (bundleGas: bigint) => bigint

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

/** paymaster ‖ uint128 verification gas limit ‖ uint128 postOp gas limit */
const paymasterHead = 52

/** Incompressible bytes, always the same. */
function noise(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 32) }, (_, index) => keccak256(numberToHex(index)))
  return length === 0 ? '0x' : slice(concat(words), 0, length)
}

/**
 * An operation during estimation, at the highest cost that it can have on L1. Rollups charge for the
 * compressed size, and a stub signature compresses better than a real one. Only the lengths of the signature
 * and of the paymaster data are known. Gas is entirely unknown, but 4 bytes hold every realistic value.
 */
export function withWorstCaseGas(operation: SignedUserOperation): SignedUserOperation {
  const { paymasterAndData, signature } = operation
  return {
    ...operation,
    callGasLimit: 0xa7_31_5c_e9n,
    verificationGasLimit: 0x5e_c4_92_1bn,
    preVerificationGas: 0xd3_68_0f_a5n,
    paymasterAndData:
      size(paymasterAndData) <= paymasterHead
        ? paymasterAndData
        : concat([slice(paymasterAndData, 0, paymasterHead), noise(size(paymasterAndData) - paymasterHead)]),
    signature: noise(size(signature)),
  }
}

interface OwnTransaction {
  readonly to: Address
  readonly data: Hex
  /** Gas of execution, and of L1 data if the node has estimated it. */
  readonly gas: bigint
  /** wei per gas. */
  readonly maxFeePerGas: bigint
}

/**
 * What a transaction costs its sender at most, wei: its gas, and what a rollup charges besides for its data on L1 and as
 * operator fee. No request on networks that charge nothing for them.
 *
 * @throws NETWORK_UNAVAILABLE; NETWORK_FAILED if the network names a fee above the configured maximum
 */
export async function ownCost(
  network: Network,
  { to, data, gas, maxFeePerGas }: OwnTransaction,
): Promise<bigint> {
  const cost = gas * maxFeePerGas
  if (!network.config.l1Fee) return cost
  const fee = await network.l1Fee({ to, data })
  // Where the data is charged as gas (Arbitrum), the gas contains it.
  return fee.gas > 0n ? cost : cost + l1FeeAt(network.config, fee, gas)
}
