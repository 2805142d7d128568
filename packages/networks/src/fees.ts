import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { Fees } from './network.ts'
import { rejectionIn } from './provider-rejection.ts'

const feeHistoryBlocks = 8
const rewardPercentile = 50

const median = (values: bigint[]) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[values.length >> 1]

/**
 * Fees from one `eth_feeHistory` (EIP-1559), or without it from the head and the gas price: the median tip of recent blocks that have tips, and a cap of
 * twice the next base fee, which is enough for six full blocks in a row (12.5 % each).
 *
 * The tip is at least the least configured one, since idle chains have no tips at all, and at most the highest.
 *
 * @throws LanyardError `NETWORK_FAILED` if they are above the configured maximum: the account would sign
 * them, and the relayer pay them
 */
export async function readFees(client: PublicClient, config: FeeConfig): Promise<ReadFees> {
  const { name, maxFeePerGas: most } = config
  const fees = await readHistory(client, config).catch((error: unknown) => {
    if (rejectionIn(error)?.meaning !== 'method-missing') throw error
    return readWithoutHistory(client, config)
  })
  if (fees.maxFeePerGas > BigInt(most)) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${name} gives a fee of ${fees.maxFeePerGas} wei per gas, but at most ${most} is allowed (maxFeePerGas).`,
    })
  }
  return fees
}

/** The highest tip that is offered, wei per gas: never less than the least one, which is configured too. */
export function maxTip({
  minPriorityFeePerGas,
  maxPriorityFeePerGas,
}: Pick<NetworkConfig, 'minPriorityFeePerGas' | 'maxPriorityFeePerGas'>): bigint {
  const [least, most] = [BigInt(minPriorityFeePerGas), BigInt(maxPriorityFeePerGas)]
  return most > least ? most : least
}

/** Fees as the network names them now; what its nodes accept is known apart from it. */
type ReadFees = Omit<Fees, 'leastTip'>

type FeeConfig = Pick<
  NetworkConfig,
  'name' | 'maxFeePerGas' | 'minPriorityFeePerGas' | 'maxPriorityFeePerGas'
>

async function readHistory(client: PublicClient, config: FeeConfig): Promise<ReadFees> {
  const history = await client.getFeeHistory({
    blockCount: feeHistoryBlocks,
    blockTag: 'latest',
    rewardPercentiles: [rewardPercentile],
  })
  const tips = (history.reward ?? []).flatMap(([tip]) => (tip !== undefined && tip > 0n ? [tip] : []))
  return toFees(history.baseFeePerGas.at(-1) ?? 0n, median(tips), config)
}

/**
 * For nodes without `eth_feeHistory`: what the gas price is above the head's base fee is the tip. The next
 * base fee is at most an eighth higher (EIP-1559).
 */
async function readWithoutHistory(client: PublicClient, config: FeeConfig): Promise<ReadFees> {
  const [{ baseFeePerGas: base }, gasPrice] = await Promise.all([client.getBlock(), client.getGasPrice()])
  const baseFeePerGas = base ?? 0n
  return toFees(baseFeePerGas + baseFeePerGas / 8n, gasPrice - baseFeePerGas, config)
}

function toFees(
  baseFeePerGas: bigint,
  typical: bigint | undefined,
  config: Pick<NetworkConfig, 'minPriorityFeePerGas' | 'maxPriorityFeePerGas'>,
): ReadFees {
  const least = BigInt(config.minPriorityFeePerGas)
  const limit = maxTip(config)
  const atLeast = typical !== undefined && typical > least ? typical : least
  const maxPriorityFeePerGas = atLeast < limit ? atLeast : limit
  return { baseFeePerGas, maxPriorityFeePerGas, maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas }
}

/** Fees that were read earlier, with a tip and a cap that the nodes accept now. */
export function withLeastTip(fees: ReadFees, leastTip: bigint): Fees {
  const missing = leastTip - fees.maxPriorityFeePerGas
  if (missing <= 0n) return { ...fees, leastTip }
  return {
    ...fees,
    leastTip,
    maxPriorityFeePerGas: leastTip,
    maxFeePerGas: fees.maxFeePerGas + missing,
  }
}
