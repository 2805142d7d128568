import { smartBalanceAbi } from '@lanyard/onchain'
import type { RpcRule } from '@lanyard/testing/fault-proxy'
import {
  type AbiStateMutability,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  numberToHex,
  toFunctionSelector,
} from 'viem'
import { getAbiItem } from 'viem/utils'

type Views = ContractFunctionName<typeof smartBalanceAbi, 'view'>
type Lies = {
  readonly [N in Views]?: ContractFunctionReturnType<typeof smartBalanceAbi, AbiStateMutability, N>
}

/** SmartBalance returns these values, alone and within Multicall3. */
export function lyingContract(lies: Lies): RpcRule {
  const results = new Map<Hex, Hex>(
    Object.entries(lies).map(([functionName, result]) => [
      toFunctionSelector(getAbiItem({ abi: smartBalanceAbi, name: functionName as Views }) as never),
      // The type of `lies` relates each result to its function.
      encodeFunctionResult({ abi: smartBalanceAbi, functionName, result } as never),
    ]),
  )
  const lieFor = (callData: Hex) => results.get(callData.slice(0, 10) as Hex)
  return {
    methods: ['eth_call'],
    fault: {
      kind: 'lie',
      change(result, { params: [call] = [] }) {
        const { data = '0x', input = data } = call as { data?: Hex; input?: Hex } // the call of eth_call
        if (input.slice(0, 10) !== aggregate3) return lieFor(input) ?? result
        return lieWithin(input, result as Hex, lieFor)
      },
    },
  }
}

const aggregate3 = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [[]] }).slice(
  0,
  10,
)

function lieWithin(input: Hex, output: Hex, lieFor: (callData: Hex) => Hex | undefined): Hex {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: input })
  const calls = args[0] as readonly { readonly callData: Hex }[] // of aggregate3
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: output })
  return encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: results.map((one, index) => ({
      ...one,
      returnData: lieFor(calls[index]?.callData ?? '0x') ?? one.returnData,
    })),
  })
}

/** The times of all blocks are this many seconds later. */
export const laterBlocks = (seconds: bigint): RpcRule => ({
  methods: ['eth_getBlockByNumber', 'eth_getBlockByHash'],
  fault: {
    kind: 'lie',
    change: (block) => {
      const { timestamp } = block as { timestamp: Hex } // the node's block
      return { ...(block as object), timestamp: numberToHex(BigInt(timestamp) + seconds) }
    },
  },
})

/** This block is the final one. */
export const otherFinalBlock = (block: unknown): RpcRule => ({
  methods: ['eth_getBlockByNumber'],
  fault: { kind: 'lie', change: (found, { params: [at] = [] }) => (at === 'finalized' ? block : found) },
})
