import type { Fees } from './network.ts'

/** EIP-1559 fees of a transaction or an operation, wei per gas. */
export interface OfferedFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** EIP-1559: the base fee of a full block's successor is an eighth higher. */
const afterFullBlock = (baseFeePerGas: bigint) => (baseFeePerGas * 9n + 7n) / 8n

/**
 * The fees from which a transaction is sent. The cap still reaches the base fee if the next block is full, and
 * leaves the least tip to the block's producer. Accepting an operation, picking it for a bundle and replacing
 * a transaction use this one rule: what is accepted can be sent, and what is sent can be mined.
 */
export const leastFees = ({ baseFeePerGas, leastTip }: Fees): OfferedFees => ({
  maxFeePerGas: afterFullBlock(baseFeePerGas) + leastTip,
  maxPriorityFeePerGas: leastTip,
})

export const reachesLeastFees = (offered: OfferedFees, market: Fees): boolean => {
  const least = leastFees(market)
  return (
    offered.maxFeePerGas >= least.maxFeePerGas && offered.maxPriorityFeePerGas >= least.maxPriorityFeePerGas
  )
}
