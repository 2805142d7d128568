import {
  calculatePreVerificationGas,
  ethereumPreVerificationGas,
  type SignedUserOperation,
  unpackUserOperation,
} from '@lanyard/accounts'
import { type Fees, l1FeeAt, type Network, type NetworkConfig, type OfferedFees } from '@lanyard/networks'
import { type Address, concat, type Hex, keccak256, numberToHex, size, slice } from 'viem'
import { encodeHandleOps, entryPointOf } from './entry-point/entry-point.ts'
import { hasOwnPaymaster } from './own-paymasters.ts'

/**
 * A margin on the exact costs, for variations with the order of cold and warm accounts. Measured on anvil
 * (Osaka) for bundles of one: without it, operations were charged 343 to 2,946 gas more than the transaction
 * used. Most of that is EntryPoint's penalty for unused call gas, which an operation that uses its limit does
 * not pay. Units of gas.
 */
const margin = 500n

/**
 * preVerificationGas at which a relayer never loses money. Estimation and delivery share it, so an estimated
 * operation is never rejected for it: the real signature is at most as long as the stub.
 *
 * Every operation pays a whole transaction's base cost, since it may be alone in its bundle. Where EIP-7623's
 * floor counts, half of verificationGasLimit is taken as certainly used: the limit's margin is a tenth, and
 * the minimum for chains without the P-256 precompile less than doubles it.
 */
export const requiredPreVerificationGas = (operation: SignedUserOperation): bigint =>
  calculatePreVerificationGas(operation, { verificationGasUsed: operation.verificationGasLimit / 2n }) +
  margin

/** A transaction's base cost, units of gas. */
export const transactionGas = ethereumPreVerificationGas.transactionGas

/**
 * What our relayer requires: {@link requiredPreVerificationGas}, without a transaction's base cost if one of our own
 * paymasters pays. A sender of several sponsored operations in one transaction would keep what that saves, and
 * nothing on chain binds them to our relayer. So the relayer bears the base cost. Both belong to the operator:
 * budgets of policies count it (`sponsorships.relayer_gas`), and a refill replaces it.
 */
export const minPreVerificationGas = (
  network: Pick<Network, 'config'>,
  operation: SignedUserOperation,
): bigint => requiredPreVerificationGas(operation) - relayerShare(network, operation)

/** The gas of an operation that our relayer bears, see {@link minPreVerificationGas}. */
export function relayerShare(
  { config }: Pick<Network, 'config'>,
  operation: Pick<SignedUserOperation, 'paymasterAndData'>,
): bigint {
  if (operation.paymasterAndData === '0x') return 0n
  return hasOwnPaymaster(config, operation) ? transactionGas : 0n
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * The highest fees at which an operation pays for its transaction. If one of our own paymasters pays, the relayer adds what its
 * tip lacks of the market's: the sender of an operation to EntryPoint receives its tip, so a sponsored one offers the least.
 * Both belong to the operator. The price stays within the operation's cap, for which SmartBalance's order or the policy's
 * budget provides.
 */
export function bundleFees(
  network: Pick<Network, 'config'>,
  operation: Pick<SignedUserOperation, 'paymasterAndData' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  market: Pick<Fees, 'maxPriorityFeePerGas'>,
): OfferedFees {
  const { maxFeePerGas, maxPriorityFeePerGas } = operation
  if (relayerShare(network, operation) === 0n) return { maxFeePerGas, maxPriorityFeePerGas }
  const tip = greater(maxPriorityFeePerGas, market.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: lesser(tip, maxFeePerGas) }
}

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

type L1FeeConfig = NetworkConfig['l1Fee']

/**
 * Maximum gas of one transaction (EIP-7825, Osaka: 2^24). Chains without that rule also have blocks above it.
 */
export const maxTransactionGas = 2n ** 24n

/**
 * Maximum bytes of a signed transaction in the pools of geth and similar nodes (txMaxSize, 128 KiB), minus
 * its other fields.
 */
export const maxTransactionData = 128 * 1024 - 1024

/** EntryPoint v0.7: INNER_GAS_OVERHEAD 10,000, and the copying around each inner call. */
const gasAroundOperation = 15_000n

/** A transaction's base cost, which not every operation pays, and EntryPoint's own work outside any operation. */
const gasAroundBundle = transactionGas + 30_000n

/**
 * Gas limit of a `handleOps` transaction: the sum of its operations' limits, so that none of them gets less
 * gas than it paid for (otherwise AA95 reverts the bundle). Two nested calls each retain 1/64 (EIP-150).
 */
export function bundleGasLimit(operations: readonly SignedUserOperation[], l1Fee?: L1FeeConfig): bigint {
  return addBundleOverhead(operations.reduce((sum, operation) => sum + gasInBundle(operation, l1Fee), 0n))
}

/** Gas that an operation adds to its transaction, before {@link addBundleOverhead}. */
export const gasInBundle = (operation: SignedUserOperation, l1Fee?: L1FeeConfig): bigint =>
  operationGas(operation, l1Fee) + gasAroundOperation

/** Gas limit of a transaction from the sum of its operations' gas. */
export const addBundleOverhead = (gas: bigint): bigint => (gas * 64n * 64n) / (63n * 63n) + gasAroundBundle

/**
 * Bytes that an operation adds to the call data of `handleOps`: an offset, nine words, and four byte strings of
 * a length and padded contents.
 */
export const bytesInBundle = (operation: SignedUserOperation): number =>
  10 * word +
  [operation.initCode, operation.callData, operation.paymasterAndData, operation.signature].reduce(
    (sum, data) => sum + word + Math.ceil(size(data) / word) * word,
    0,
  )

const word = 32

/**
 * The OP Stack charges L1 data separately from gas, so no transaction uses the preVerificationGas that pays
 * for it.
 */
function operationGas(operation: SignedUserOperation, l1Fee: L1FeeConfig): bigint {
  const preVerificationGas =
    l1Fee?.kind === 'op-stack'
      ? lesser(operation.preVerificationGas, requiredPreVerificationGas(operation))
      : operation.preVerificationGas
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = unpackUserOperation(operation)
  return (
    preVerificationGas +
    operation.verificationGasLimit +
    operation.callGasLimit +
    paymasterVerificationGasLimit +
    paymasterPostOpGasLimit
  )
}

/** Whether these operations fit into one transaction; `data` is the call data of `handleOps`. */
export const fitsIntoTransaction = (
  operations: readonly SignedUserOperation[],
  data: Hex,
  l1Fee?: L1FeeConfig,
) => bundleGasLimit(operations, l1Fee) <= maxTransactionGas && size(data) <= maxTransactionData
