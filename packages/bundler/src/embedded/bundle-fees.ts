import type { SignedUserOperation } from '@lanyard/accounts'
import type { Fees } from '@lanyard/networks'

/** EIP-1559 fees of a transaction, wei per gas. */
export interface TransactionFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const least = (values: readonly bigint[]) => values.reduce((a, b) => (a < b ? a : b))
const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * The most that a bundle may offer: the smallest caps of its operations. EntryPoint makes each operation pay
 * min(maxFeePerGas, baseFee + maxPriorityFeePerGas); with the smallest of both, the transaction itself pays no more
 * than any of them per gas, whatever the base fee becomes. preVerificationGas covers the gas that EntryPoint does not
 * see, so a relayer is never out of pocket.
 */
export function mostThatIsPaid(operations: readonly SignedUserOperation[]): TransactionFees {
  const maxFeePerGas = least(operations.map((operation) => operation.maxFeePerGas))
  const maxPriorityFeePerGas = least(operations.map((operation) => operation.maxPriorityFeePerGas))
  return { maxFeePerGas, maxPriorityFeePerGas: lesser(maxFeePerGas, maxPriorityFeePerGas) }
}

/** The market's fees, within what the operations pay. */
export function initialFees(market: Fees, most: TransactionFees): TransactionFees {
  const maxFeePerGas = lesser(market.maxFeePerGas, most.maxFeePerGas)
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: lesser(
      maxFeePerGas,
      lesser(market.maxPriorityFeePerGas, most.maxPriorityFeePerGas),
    ),
  }
}

/** Pools take a replacement from 10 % more (geth) or 12.5 % more (reth, OpenEthereum's rule) in both fees. */
const bump = (fee: bigint) => (fee * 1125n) / 1000n + 1n

/**
 * Fees of a replacement under the same nonce, at least the market's.
 *
 * @returns undefined when that is more than the operations pay: then the transaction waits for the base fee to fall.
 */
export function replacementFees(
  previous: TransactionFees,
  market: Fees,
  most: TransactionFees,
): TransactionFees | undefined {
  const maxFeePerGas = bump(previous.maxFeePerGas)
  const maxPriorityFeePerGas = bump(previous.maxPriorityFeePerGas)
  if (maxFeePerGas > most.maxFeePerGas || maxPriorityFeePerGas > most.maxPriorityFeePerGas) return undefined
  return {
    maxFeePerGas: lesser(most.maxFeePerGas, greater(maxFeePerGas, market.maxFeePerGas)),
    maxPriorityFeePerGas: lesser(
      most.maxPriorityFeePerGas,
      greater(maxPriorityFeePerGas, market.maxPriorityFeePerGas),
    ),
  }
}
