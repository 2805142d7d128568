import { decodeFunctionData, encodeFunctionData, getAddress, type Hex } from 'viem'
import type { ReadCallsResult } from '../account.ts'
import type { Call } from '../call.ts'
import { failure } from '../result.ts'
import { assertUint } from '../words.ts'

/** BaseAccount of EntryPoint v0.8. `executeBatch` reverts with ExecuteError, which names the call. */
export const baseAccountAbi = [
  {
    type: 'function',
    name: 'execute',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'executeBatch',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
        ],
      },
    ],
    outputs: [],
  },
  {
    type: 'error',
    name: 'ExecuteError',
    inputs: [
      { name: 'index', type: 'uint256' },
      { name: 'error', type: 'bytes' },
    ],
  },
] as const

/** As viem's `toSimple7702SmartAccount` encodes them: one call directly, any other number as a batch. */
export function encodeDelegatedCalls(calls: readonly Call[]): Hex {
  for (const { value } of calls) assertUint(value, 256, 'value')
  const [first, ...rest] = calls
  if (first !== undefined && rest.length === 0)
    return encodeFunctionData({
      abi: baseAccountAbi,
      functionName: 'execute',
      args: [first.to, first.value, first.data],
    })
  return encodeFunctionData({
    abi: baseAccountAbi,
    functionName: 'executeBatch',
    args: [calls.map(({ to, value, data }) => ({ target: to, value, data }))],
  })
}

export function decodeDelegatedCalls(callData: Hex): ReadCallsResult {
  const calls = tryToDecode(callData)
  if (calls === undefined)
    return failure('NOT_AN_EXECUTION', 'The call data is neither execute nor executeBatch of the account.')
  if (encodeDelegatedCalls(calls) !== callData.toLowerCase())
    return failure(
      'NOT_CANONICAL',
      'The call data is not encoded in the way that this account encodes calls.',
    )
  return { ok: true, calls }
}

function tryToDecode(data: Hex): readonly Call[] | undefined {
  try {
    const decoded = decodeFunctionData({ abi: baseAccountAbi, data })
    if (decoded.functionName === 'execute') {
      const [to, value, callData] = decoded.args
      return [{ to: getAddress(to), value, data: callData }]
    }
    return decoded.args[0].map((call) => ({
      to: getAddress(call.target),
      value: call.value,
      data: call.data,
    }))
  } catch {
    return undefined // viem throws on an unknown selector and on arguments that do not decode
  }
}
