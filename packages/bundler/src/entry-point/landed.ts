import type { SignedUserOperation } from '@lanyard/accounts'
import { blocksIn, type Network, walkBack } from '@lanyard/networks'
import type { Address, Hex } from 'viem'
import { getAbiItem } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { entryPointOf } from './entry-point.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** How far back to search if it is unknown when an operation could first be sent, milliseconds. */
const withoutTimeout = 3 * 3_600_000

/**
 * Whether the chain has the operation's UserOperationEvent, in anyone's bundle. While its nonce is unused the
 * operation cannot be on chain, so no logs are read.
 *
 * @param fromBlock - the head when it could first be sent; by default the last three hours are searched.
 */
export async function hasLanded(
  network: Network,
  operation: Pick<SignedUserOperation, 'sender' | 'nonce' | 'entryPoint'>,
  userOpHash: Hex,
  fromBlock?: bigint,
): Promise<boolean> {
  const entryPoint = entryPointOf(network, operation)
  const [next, head] = await network.call((client) =>
    Promise.all([readNonce(client, entryPoint, operation), client.getBlockNumber()]),
  )
  if (next <= operation.nonce) return false
  const since = fromBlock ?? head - blocksIn(network.config, withoutTimeout)
  const walk = walkBack(network, since, (client, range) =>
    client.getLogs({ ...range, address: entryPoint, event: userOperationEvent, args: { userOpHash } }),
  )
  for await (const { result } of walk) if (result.length > 0) return true
  return false
}

const readNonce = (
  client: Network['client'],
  entryPoint: Address,
  { sender, nonce }: Pick<SignedUserOperation, 'sender' | 'nonce'>,
): Promise<bigint> =>
  client.readContract({
    address: entryPoint,
    abi: entryPoint07Abi,
    functionName: 'getNonce',
    args: [sender, nonce >> 64n],
  })
