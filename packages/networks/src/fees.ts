import type { PublicClient } from 'viem'
import type { Fees } from './network.ts'

const feeHistoryBlocks = 8
const rewardPercentile = 50

/** Chains without load pay no tips at all; a relayer still wants one it can raise by 10 %. wei per gas. */
const lowestTip = 1_000_000n

const median = (values: bigint[]) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[values.length >> 1]

/**
 * Fees from one `eth_feeHistory` (EIP-1559): the median tip of recent blocks that paid one, and a cap of twice
 * the next base fee, which holds for six full blocks in a row (12.5 % each).
 */
export async function readFees(client: PublicClient): Promise<Fees> {
  const history = await client.getFeeHistory({
    blockCount: feeHistoryBlocks,
    blockTag: 'latest',
    rewardPercentiles: [rewardPercentile],
  })
  const baseFeePerGas = history.baseFeePerGas.at(-1) ?? 0n
  const tips = (history.reward ?? []).flatMap(([tip]) => (tip !== undefined && tip > 0n ? [tip] : []))
  const typical = median(tips) ?? lowestTip
  const maxPriorityFeePerGas = typical > lowestTip ? typical : lowestTip
  return { baseFeePerGas, maxPriorityFeePerGas, maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas }
}
