import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import type { Fees } from './network.ts'
import { rejectionIn } from './provider-errors.ts'

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
type ReadFees = Omit<Fees, 'minTip'>

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
export function withLeastTip(fees: ReadFees, minTip: bigint): Fees {
  const missing = minTip - fees.maxPriorityFeePerGas
  if (missing <= 0n) return { ...fees, minTip }
  return {
    ...fees,
    minTip,
    maxPriorityFeePerGas: minTip,
    maxFeePerGas: fees.maxFeePerGas + missing,
  }
}

/**
 * Milliseconds for which a tip is remembered that a node has named, and one that is guessed from a refusal
 * without a figure. Nodes also refuse while their pool is full, so a guess is soon forgotten.
 */
const memory = { named: 600_000, guessed: 30_000 } as const

/** The least tip that the nodes of a network accept, wei per gas. */
interface LeastTip {
  /** The configured one, or a higher one that a node has named lately. */
  readonly current: bigint
  /** A node refused a transaction with a lower tip. A tip above `most` is ignored. */
  learn(tip: bigint, source: keyof typeof memory): void
}

/**
 * @param configured - of the network's configuration
 * @param limit - the highest tip that is offered
 * @param now - the clock, milliseconds
 */
export function createLeastTip(configured: bigint, limit: bigint, now: () => number): LeastTip {
  let learned = { tip: 0n, until: 0 }
  const remembered = () => (now() < learned.until ? learned.tip : 0n)
  return {
    get current() {
      const tip = remembered()
      return tip > configured ? tip : configured
    },
    learn(tip, source) {
      if (tip > limit || tip < remembered()) return
      learned = { tip, until: now() + memory[source] }
    },
  }
}

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
export const minFees = ({ baseFeePerGas, minTip }: Fees): OfferedFees => {
  const cap = afterFullBlock(baseFeePerGas)
  // EIP-1559: a tip above the cap is not valid.
  return { maxFeePerGas: cap > minTip ? cap : minTip, maxPriorityFeePerGas: minTip }
}

export const reachesMinFees = (offered: OfferedFees, market: Fees): boolean => {
  const least = minFees(market)
  return (
    offered.maxFeePerGas >= least.maxFeePerGas && offered.maxPriorityFeePerGas >= least.maxPriorityFeePerGas
  )
}
