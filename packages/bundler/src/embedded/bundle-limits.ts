import { type SignedUserOperation, unpackUserOperation } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import type { Hex } from 'viem'
import { size } from 'viem'
import { requiredPreVerificationGas, transactionGas } from '../pre-verification-gas.ts'

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

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/** Whether these operations fit into one transaction; `data` is the call data of `handleOps`. */
export const fitsIntoTransaction = (
  operations: readonly SignedUserOperation[],
  data: Hex,
  l1Fee?: L1FeeConfig,
) => bundleGasLimit(operations, l1Fee) <= maxTransactionGas && size(data) <= maxTransactionData
