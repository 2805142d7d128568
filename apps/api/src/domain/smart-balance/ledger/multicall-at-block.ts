import { multicall3 } from '@lanyard/networks'
import {
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  type PublicClient,
  parseAbi,
} from 'viem'

/** A read of a contract. */
export interface Read<T> {
  readonly target: Address
  readonly callData: Hex
  readonly decode: (returned: Hex) => T
  /** The result when the contract reverts; absent: a revert is unexpected, and the whole read fails. */
  readonly reverted?: T
}

/** The block to read. */
export type At = { readonly blockNumber: bigint } | { readonly blockTag: 'finalized' | 'safe' }

/** The results of reads, in order. */
type AnswersOf<R extends readonly Read<unknown>[]> = {
  readonly [K in keyof R]: R[K] extends Read<infer T> ? T : never
}

/** The results of groups of reads. */
type Answers<G extends readonly (readonly Read<unknown>[])[]> = {
  readonly [K in keyof G]: G[K] extends readonly Read<unknown>[] ? AnswersOf<G[K]> : never
}

// viem's ABI of Multicall3 does not contain this function.
const blockNumberAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])

/**
 * Reads contracts in one eth_call, so that all results are from one block: a single JSON-RPC request for any
 * number of reads.
 *
 * @throws viem's errors, also for an unexpected revert
 */
export async function multicallAtBlock<const G extends readonly (readonly Read<unknown>[])[]>(
  client: PublicClient,
  at: At,
  groups: G,
): Promise<Answers<G>> {
  const reads = groups.flat()
  const results = await client.readContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [reads.map(({ target, callData }) => ({ target, callData, allowFailure: true }))],
    ...at,
  })
  const answers = reads.map((read, index) => {
    const result = results[index]
    if (result?.success) return read.decode(result.returnData)
    if ('reverted' in read) return read.reverted
    // The enclosing `call` adds the network's name and that it failed.
    throw new BaseError('A contract reverted unexpectedly')
  })
  // Each group gets as many results as it has reads, and each read decodes its own result.
  return groups.map(({ length }) => answers.splice(0, length)) as unknown as Answers<G>
}

/** The block of one `multicallAtBlock`, as contracts see it (NUMBER). */
export const blockNumberRead: Read<bigint> = {
  target: multicall3,
  callData: encodeFunctionData({ abi: blockNumberAbi }),
  decode: (data) => decodeFunctionResult({ abi: blockNumberAbi, data }),
}
