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
 * the tip is the least that the network takes. Accepting an operation, picking it for a bundle and replacing a
 * transaction use this one rule: what is accepted can be sent, and what is sent can be mined.
 *
 * The cap does not have to hold the whole tip above the base fee: nodes compare only the tip itself with their
 * minimum, and a stricter rule refuses, where base fees are small, what was built a few blocks ago.
 */
export const leastFees = ({ baseFeePerGas, leastTip }: Fees): OfferedFees => {
  const cap = afterFullBlock(baseFeePerGas)
  // EIP-1559: a tip above the cap is not valid.
  return { maxFeePerGas: cap > leastTip ? cap : leastTip, maxPriorityFeePerGas: leastTip }
}

export const reachesLeastFees = (offered: OfferedFees, market: Fees): boolean => {
  const least = leastFees(market)
  return (
    offered.maxFeePerGas >= least.maxFeePerGas && offered.maxPriorityFeePerGas >= least.maxPriorityFeePerGas
  )
}
