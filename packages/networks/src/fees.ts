import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { Fees } from './network.ts'

const feeHistoryBlocks = 8
const rewardPercentile = 50

const median = (values: bigint[]) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[values.length >> 1]

/**
 * Fees from one `eth_feeHistory` (EIP-1559): the median tip of recent blocks that have tips, and a cap of
 * twice the next base fee, which is enough for six full blocks in a row (12.5 % each).
 *
 * The tip is at least the configured one: idle chains have no tips at all.
 *
 * @throws LanyardError `NETWORK_FAILED` if they are above the configured maximum: the account would sign
 * them, and the relayer pay them
 */
export async function readFees(
  client: PublicClient,
  {
    name,
    maxFeePerGas: most,
    minPriorityFeePerGas,
  }: Pick<NetworkConfig, 'name' | 'maxFeePerGas' | 'minPriorityFeePerGas'>,
): Promise<Fees> {
  const history = await client.getFeeHistory({
    blockCount: feeHistoryBlocks,
    blockTag: 'latest',
    rewardPercentiles: [rewardPercentile],
  })
  const baseFeePerGas = history.baseFeePerGas.at(-1) ?? 0n
  const tips = (history.reward ?? []).flatMap(([tip]) => (tip !== undefined && tip > 0n ? [tip] : []))
  const least = BigInt(minPriorityFeePerGas)
  const typical = median(tips) ?? least
  const maxPriorityFeePerGas = typical > least ? typical : least
  const maxFeePerGas = 2n * baseFeePerGas + maxPriorityFeePerGas
  if (maxFeePerGas > BigInt(most)) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${name} gives a fee of ${maxFeePerGas} wei per gas, but at most ${most} is allowed (maxFeePerGas).`,
    })
  }
  return { baseFeePerGas, maxPriorityFeePerGas, maxFeePerGas }
}
