import { LanyardError } from '@lanyard/contracts'
import { BaseError, type Block, type PublicClient } from 'viem'
import { blocksIn, type NetworkConfig } from './config.ts'
import { isEndpointError } from './endpoint-error.ts'
import { rejectionIn } from './provider-errors.ts'

/**
 * How far the nodes behind one RPC address may differ, milliseconds. A head is this much older on one node
 * than on another, and a block counts as final only when all of them have it: a node without the block would
 * answer that it has no logs.
 */
const nodesApart = 5_000

/** A final block that is further above the head than this is no difference between nodes, milliseconds. */
const maxAhead = 60_000

type Finality = Pick<NetworkConfig, 'name' | 'finality' | 'blockTime' | 'local'>
type FoundBlock = Block<bigint, false, 'latest'>

/**
 * Number of the last block that no reorg can remove, as configured.
 *
 * @throws LanyardError `NETWORK_FAILED` if the node does not know the tag, or if the block is far above the
 * head: data written as final is never checked again
 */
export const readFinalizedBlock = async (client: PublicClient, config: Finality): Promise<bigint> =>
  (await find(client, config)).number

/** The block of `readFinalizedBlock`. */
export async function readFinalBlock(client: PublicClient, config: Finality): Promise<FoundBlock> {
  const { number, tagged } = await find(client, config)
  return tagged?.number === number ? tagged : client.getBlock({ blockNumber: number })
}

interface Found {
  readonly number: bigint
  /** The block of the configured tag, which may be later. */
  readonly tagged?: FoundBlock
}

async function find(client: PublicClient, config: Finality): Promise<Found> {
  const { name, finality, local } = config
  const deep = (head: bigint) => greater(head - (local ? 0n : blocksIn(config, nodesApart)), 0n)
  if (!('tag' in finality)) {
    const head = await client.getBlockNumber()
    return { number: lesser(greater(head - BigInt(finality.confirmations), 0n), deep(head)) }
  }
  const [tagged, head] = await Promise.all([
    readTagged(client, config, finality.tag),
    client.getBlockNumber(),
  ])
  const { number } = tagged
  if (number <= head + blocksIn(config, maxAhead)) return { number: lesser(number, deep(head)), tagged }
  throw new LanyardError('NETWORK_FAILED', {
    message: `${name}: block ${number} is reported as final, but the head is ${head}.`,
  })
}

async function readTagged(
  client: PublicClient,
  { name }: Pick<NetworkConfig, 'name'>,
  tag: 'finalized' | 'safe',
): Promise<FoundBlock> {
  try {
    return await client.getBlock({ blockTag: tag })
  } catch (error) {
    const isUnknown =
      rejectionIn(error)?.meaning === 'block-unknown' ||
      (error instanceof BaseError &&
        error.walk((inner) => isEndpointError(inner, 'UnusableAnswerError')) !== null)
    if (!isUnknown) throw error
    throw new LanyardError('NETWORK_FAILED', {
      message: `The RPC of ${name} does not know the block tag "${tag}", so nothing becomes final. Operators: use another RPC, or set "finality" to a number of confirmations.`,
      details: { reason: 'NO_FINALITY_TAG' },
      cause: error,
    })
  }
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
