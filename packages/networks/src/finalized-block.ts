import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'

/**
 * Number of the last block that no reorg can remove, as configured.
 *
 * @throws LanyardError `NETWORK_FAILED` if it is above the head: data written as final is never checked again
 */
export async function readFinalizedBlock(
  client: PublicClient,
  { name, finality }: Pick<NetworkConfig, 'name' | 'finality'>,
): Promise<bigint> {
  if (!('tag' in finality)) {
    const head = await client.getBlockNumber()
    const confirmations = BigInt(finality.confirmations)
    return head > confirmations ? head - confirmations : 0n
  }
  const [{ number }, head] = await Promise.all([
    client.getBlock({ blockTag: finality.tag }),
    client.getBlockNumber(),
  ])
  if (number <= head) return number
  throw new LanyardError('NETWORK_FAILED', {
    message: `${name}: block ${number} is reported as final, but the head is ${head}.`,
  })
}
