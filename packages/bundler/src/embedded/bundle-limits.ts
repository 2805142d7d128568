import { type SignedUserOperation, unpackUserOperation } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import type { Hex } from 'viem'
import { size } from 'viem'
import { requiredPreVerificationGas } from '../pre-verification-gas.ts'

type L1FeeConfig = NetworkConfig['l1Fee']

/** Most gas of one transaction (EIP-7825, Osaka: 2^24). Chains without that rule have blocks above it too. */
export const maxTransactionGas = 2n ** 24n

/** Most bytes of a signed transaction in the pools of geth and its kin (txMaxSize, 128 KiB), less its other fields. */
export const maxTransactionData = 128 * 1024 - 1024

/** EntryPoint v0.7: INNER_GAS_OVERHEAD 10,000, and the copying around each inner call. */
const gasAroundOperation = 15_000n

/** EntryPoint's own work outside of any operation, above the 21,000 that preVerificationGas brings. */
const gasAroundBundle = 30_000n

/**
 * Gas limit of a `handleOps` transaction: all limits of its operations, so that none of them can run short of what it
 * paid for (else AA95 reverts the bundle). Two nested calls each keep 1/64 back (EIP-150).
 */
export function bundleGasLimit(operations: readonly SignedUserOperation[], l1Fee?: L1FeeConfig): bigint {
  const limits = operations.reduce(
    (sum, operation) => sum + operationGas(operation, l1Fee) + gasAroundOperation,
    0n,
  )
  return (limits * 64n * 64n) / (63n * 63n) + gasAroundBundle
}

/** On the OP Stack, L1 data is paid for outside of gas: what preVerificationGas brings for it, no transaction uses. */
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

/** Whether these operations fit into one transaction; data is that of `handleOps`. */
export const fitsIntoTransaction = (
  operations: readonly SignedUserOperation[],
  data: Hex,
  l1Fee?: L1FeeConfig,
) => bundleGasLimit(operations, l1Fee) <= maxTransactionGas && size(data) <= maxTransactionData
