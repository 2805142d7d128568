import { LanyardError } from '@lanyard/contracts'
import { type AgreedBlock, multicall3, type Network } from '@lanyard/networks'
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
} from 'viem'

/** A read of a contract. */
export interface Read<T> {
  readonly target: Address
  readonly callData: Hex
  readonly decode: (returned: Hex) => T
  /**
   * The result when the contract reverts, or when there is none; absent: that is unexpected, and the whole read
   * fails.
   */
  readonly reverted?: T
}

/** The results of reads, in order. */
type AnswersOf<R extends readonly Read<unknown>[]> = {
  readonly [K in keyof R]: R[K] extends Read<infer T> ? T : never
}

/** The results of groups of reads. */
type Answers<G extends readonly (readonly Read<unknown>[])[]> = {
  readonly [K in keyof G]: G[K] extends readonly Read<unknown>[] ? AnswersOf<G[K]> : never
}

/**
 * Reads contracts in one eth_call at one block, as two RPCs of different origin confirm it: a single JSON-RPC
 * request to each of them for any number of reads.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED, also for an unexpected revert
 */
export async function multicallAtBlock<const G extends readonly (readonly Read<unknown>[])[]>(
  network: Pick<Network, 'quorum' | 'config'>,
  block: Pick<AgreedBlock, 'hash'>,
  groups: G,
): Promise<Answers<G>> {
  const reads = groups.flat()
  const data = await network.quorum.call(block, {
    to: multicall3,
    data: encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [reads.map(({ target, callData }) => ({ target, callData, allowFailure: true }))],
    }),
  })
  try {
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
    const answers = reads.map((read, index) => {
      const result = results[index]
      const isAnswer = result?.success === true && result.returnData !== '0x'
      if (isAnswer) return read.decode(result.returnData)
      if ('reverted' in read) return read.reverted
      throw new BaseError('A contract reverted unexpectedly')
    })
    // Each group gets as many results as it has reads, and each read decodes its own result.
    return groups.map(({ length }) => answers.splice(0, length)) as unknown as Answers<G>
  } catch (cause) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${network.config.name} gave an answer that cannot be right.`,
      cause,
    })
  }
}

type Contract<A extends Abi> = { readonly address: Address; readonly abi: A }

/** A read of a view function whose result is decoded by its ABI. */
export const readOf = <
  const A extends Abi,
  N extends ContractFunctionName<A, 'view' | 'pure'>,
  const P extends ContractFunctionArgs<A, 'view' | 'pure', N>,
>(
  { address: target, abi }: Contract<A>,
  functionName: N,
  args: P,
): Read<ContractFunctionReturnType<A, 'view' | 'pure', N, P>> => ({
  target,
  // viem cannot relate the generic parameters of one function to those of another.
  callData: encodeFunctionData({ abi, functionName, args } as never),
  decode: (data) => decodeFunctionResult({ abi, functionName, args, data } as never) as never,
})
