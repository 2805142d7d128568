import type { SignedUserOperation } from '@lanyard/accounts'
import type { TransactionFees } from '../sender/transaction-fees.ts'

const least = (values: readonly bigint[]) => values.reduce((a, b) => (a < b ? a : b))

/**
 * The highest fees that a bundle may offer: the lowest caps among its operations. EntryPoint makes each
 * operation pay min(maxFeePerGas, baseFee + maxPriorityFeePerGas). With the lowest value of both, the
 * transaction itself never pays more per gas than any operation does, whatever the base fee becomes.
 * preVerificationGas covers the gas that EntryPoint does not measure, so a relayer never loses money.
 */
export function maxBundleFees(operations: readonly SignedUserOperation[]): TransactionFees {
  const maxFeePerGas = least(operations.map((operation) => operation.maxFeePerGas))
  const maxPriorityFeePerGas = least(operations.map((operation) => operation.maxPriorityFeePerGas))
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas,
  }
}
