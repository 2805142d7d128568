import type { RelayerTransactionRow } from '@lanyard/database'
import type { Fees, OfferedFees } from '@lanyard/networks'

/** EIP-1559 fees of a transaction, wei per gas. */
export type TransactionFees = OfferedFees

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

/**
 * Pools accept a replacement with 10 % more (geth) or 12.5 % more (reth, OpenEthereum's rule) in both fees.
 */
const bump = (fee: bigint) => (fee * 1125n) / 1000n + 1n

/** The least fees at which a node accepts a replacement, and at least the given ones. */
export const raisedFees = (previous: TransactionFees, least: TransactionFees): TransactionFees => ({
  maxFeePerGas: greater(bump(previous.maxFeePerGas), least.maxFeePerGas),
  maxPriorityFeePerGas: greater(bump(previous.maxPriorityFeePerGas), least.maxPriorityFeePerGas),
})

/**
 * What a transaction costs at most beyond what its contents pay, wei per gas, whatever the base fee becomes:
 * both pay min(cap, base fee + tip).
 */
export const shortfallOf = (offered: TransactionFees, paid: TransactionFees): bigint =>
  greater(
    0n,
    greater(
      offered.maxFeePerGas - paid.maxFeePerGas,
      offered.maxPriorityFeePerGas - paid.maxPriorityFeePerGas,
    ),
  )

/**
 * Fees of a replacement with the same nonce, at least the market's.
 *
 * @returns undefined if that is more than `most`: then the transaction waits for the base fee to fall.
 */
export function replacementFees(
  previous: TransactionFees,
  market: Fees,
  limit: TransactionFees,
): TransactionFees | undefined {
  const maxFeePerGas = bump(previous.maxFeePerGas)
  const maxPriorityFeePerGas = bump(previous.maxPriorityFeePerGas)
  if (maxFeePerGas > limit.maxFeePerGas || maxPriorityFeePerGas > limit.maxPriorityFeePerGas) return undefined
  return {
    maxFeePerGas: lesser(limit.maxFeePerGas, greater(maxFeePerGas, market.maxFeePerGas)),
    maxPriorityFeePerGas: lesser(
      limit.maxPriorityFeePerGas,
      greater(maxPriorityFeePerGas, market.maxPriorityFeePerGas),
    ),
  }
}

/** The lowest cap and the lowest tip of several; of none, above all others. */
export const lowestFees = (all: readonly TransactionFees[]): TransactionFees =>
  all.reduce(
    (lowest, one) => ({
      maxFeePerGas: lesser(lowest.maxFeePerGas, one.maxFeePerGas),
      maxPriorityFeePerGas: lesser(lowest.maxPriorityFeePerGas, one.maxPriorityFeePerGas),
    }),
    { maxFeePerGas: 2n ** 256n, maxPriorityFeePerGas: 2n ** 256n },
  )

/** The fees that a row's transaction offers. */
export const feesOf = (row: RelayerTransactionRow): TransactionFees => ({
  maxFeePerGas: row.max_fee_per_gas,
  maxPriorityFeePerGas: row.max_priority_fee_per_gas,
})
