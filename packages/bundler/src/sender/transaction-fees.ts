import type { Fees } from '@lanyard/networks'

/** EIP-1559 fees of a transaction, wei per gas. */
export interface TransactionFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** No limit except the sender's own funds, for transactions that must be mined and cost little. */
export const unboundedFees: TransactionFees = { maxFeePerGas: 2n ** 64n, maxPriorityFeePerGas: 2n ** 64n }

/**
 * For a sender that pays for itself: however often a transaction is replaced, it never offers more than eight
 * times the market. Otherwise the fees of a transaction that is stuck for another reason would rise without
 * limit.
 */
export const withinMarket = (market: Fees): TransactionFees => ({
  maxFeePerGas: market.maxFeePerGas * 8n,
  maxPriorityFeePerGas: market.maxPriorityFeePerGas * 8n,
})

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)

/** The market's fees, limited to `most`. */
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

/**
 * Pools accept a replacement with 10 % more (geth) or 12.5 % more (reth, OpenEthereum's rule) in both fees.
 */
const bump = (fee: bigint) => (fee * 1125n) / 1000n + 1n

/**
 * Fees of a replacement with the same nonce, at least the market's.
 *
 * @returns undefined if that is more than `most`: then the transaction waits for the base fee to fall.
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
