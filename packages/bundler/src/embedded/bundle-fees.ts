import type { SignedUserOperation } from '@lanyard/accounts'
import type { TransactionFees } from '../sender/transaction-fees.ts'

const least = (values: readonly bigint[]) => values.reduce((a, b) => (a < b ? a : b))

/**
 * The most that a bundle may offer: the smallest caps of its operations. EntryPoint makes each operation pay
 * min(maxFeePerGas, baseFee + maxPriorityFeePerGas); with the smallest of both, the transaction itself pays no more
 * than any of them per gas, whatever the base fee becomes. preVerificationGas covers the gas that EntryPoint does not
 * see, so a relayer is never out of pocket.
 */
export function maxBundleFees(operations: readonly SignedUserOperation[]): TransactionFees {
  const maxFeePerGas = least(operations.map((operation) => operation.maxFeePerGas))
  const maxPriorityFeePerGas = least(operations.map((operation) => operation.maxPriorityFeePerGas))
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas,
  }
}
