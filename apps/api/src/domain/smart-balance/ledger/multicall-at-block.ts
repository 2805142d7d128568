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
  /** What a contract that reverts answers; absent: then it is none of ours, and all fails. */
  readonly reverted?: T
}

/** Which block to read. */
export type At = { readonly blockNumber: bigint } | { readonly blockTag: 'finalized' | 'safe' }

/** What reads answer, in their order. */
type AnswersOf<R extends readonly Read<unknown>[]> = {
  readonly [K in keyof R]: R[K] extends Read<infer T> ? T : never
}

/** The same of groups of reads. */
type Answers<G extends readonly (readonly Read<unknown>[])[]> = {
  readonly [K in keyof G]: G[K] extends readonly Read<unknown>[] ? AnswersOf<G[K]> : never
}

// viem's part of Multicall3 lacks it.
const blockNumberAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])

/**
 * Reads contracts in one eth_call, so that all answers are of one block: one JSON-RPC request, whatever is asked.
 *
 * @throws viem's errors, also when a contract reverts that should not
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
    // Whose network it is, and that it failed, says the `call` in which this is read.
    throw new BaseError('A contract reverted that should not')
  })
  // Each group takes as many as it asked for, and each answer is what its read decodes.
  return groups.map(({ length }) => answers.splice(0, length)) as unknown as Answers<G>
}

/** The block in which the others of one `multicallAtBlock` are read, as its contracts see it (NUMBER). */
export const blockNumberRead: Read<bigint> = {
  target: multicall3,
  callData: encodeFunctionData({ abi: blockNumberAbi }),
  decode: (data) => decodeFunctionResult({ abi: blockNumberAbi, data }),
}
